import type { operations } from '../../generated/server.js'
import type { HandlersOf } from '../contract/index.js'

/** One handler for each operation of the document: a missing, extra or mistyped one does not compile. */
export type Handlers = HandlersOf<operations>
