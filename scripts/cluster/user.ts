const isRoot = process.getuid?.() === 0

/** Options of spawn to run a program as a user who may not write everywhere: `nobody` for root, else the same user. */
export const ordinaryUser: { uid?: number; gid?: number } = isRoot ? { uid: 65_534, gid: 65_534 } : {}
