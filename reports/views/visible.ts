/** Makes text that an implementation sent safe to show over several lines: nothing invisible, nothing endless. */

/** Characters that act instead of being seen: controls, formats (bidirectional ones too), separators, half characters. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu
const lineBreaks = /\r\n?/g

/** The text with every invisible character written out, as `‹U+202E›`, at most `limit` characters of it. */
export function visible(text: string, limit = 4000): string {
  const head = text.length > limit ? text.slice(0, limit) : text
  const shown = head
    .replace(lineBreaks, '\n')
    .replace(invisible, (character) =>
      character === '\n' || character === '\t' ? character : `‹U+${hex(character)}›`,
    )
  return text.length > limit ? `${shown}… (${text.length - limit} more characters)` : shown
}

function hex(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code.toString(16).toUpperCase().padStart(4, '0')
}

/** A value as JSON with line breaks; what is nested beyond reason is named, not shown. */
export function indentedJson(value: unknown): string {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value)
  } catch {
    return '(nested too deeply to be shown)'
  }
}
