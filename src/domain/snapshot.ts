/** Returns whether a read would return the same now; once false, it stays false. */
export type IsCurrent = () => boolean

/** What was read of the storage. `isCurrent` is undefined where the storage cannot tell, so that nothing is cached. */
export interface Snapshot<Value> {
  value: Value
  isCurrent?: IsCurrent | undefined
}
