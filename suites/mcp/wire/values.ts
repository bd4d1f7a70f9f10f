/** Values of messages, of which nothing is known. */

export { isRecord, membersOf } from '../../../harness/engine/index.ts'

/** A value if it is a text; otherwise none. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
