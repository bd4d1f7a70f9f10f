/** Texts that describe nothing, although they are not empty. */

/** How programs write what they have no words for, also behind a label. */
const unsaid = /^(?:\w+: ?)?(?:\[object \w+\]|undefined|null|none|nil|nan|\{\}|\[\])$/i

/** Whether a text has no word about what has happened. */
export function describesNothing(text: string): boolean {
  const bare = text.trim().replaceAll(/^["'`]+|["'`.!]+$/g, '')
  return bare === '' || unsaid.test(bare)
}
