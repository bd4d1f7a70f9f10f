/** JSON on standard output, which may be a terminal: what one would obey is escaped, the value is the same. */

/** What JSON may hold as it is, but a terminal obeys or hides. */
const obeyed = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** Writes a JSON text to standard output. */
export function writeJson(json: string): void {
  process.stdout.write(withoutObeyed(json))
}

export function withoutObeyed(json: string): string {
  return json.replace(obeyed, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
