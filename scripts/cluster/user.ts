const isRoot = process.getuid?.() === 0

/** Options to run the program as a user who may not write everywhere: nobody, when the tests run as root. */
export const ordinaryUser: { uid?: number; gid?: number } = isRoot ? { uid: 65_534, gid: 65_534 } : {}
