/** Masks credentials where people look: enough stays to tell one from another, too little to use it. */

/** Keeps the beginning and the end of a value. */
export function mask(value: string): string {
  return value.length < 16 ? '…' : `${value.slice(0, 6)}…${value.slice(-4)}`
}

/** What the provider minted, by its prefix; any JSON Web Token; and what clients send as a secret. */
const patterns: readonly RegExp[] = [
  /\b(?:at|rt|ac|cs|rat|dc|session)_[A-Za-z0-9_-]{32}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g,
  /(?<=\bBasic\s{1,10})[A-Za-z0-9+/]+=*/gi,
  /(?<=\b(?:client_secret|code_verifier|device_code)=)[^&\s"]+/g,
  /(?<="(?:client_secret|registration_access_token|device_code)":")[^"]+/g,
]

/** Masks every credential in a text. */
export function maskText(text: string): string {
  return patterns.reduce((masked, pattern) => masked.replace(pattern, mask), text)
}

/** Members whose values are credentials, whatever they look like. */
const secretMembers: ReadonlySet<string> = new Set([
  'clientSecret',
  'client_secret',
  'client_assertion',
  'code_verifier',
])

/** Masks every credential in the strings of a JSON value. */
export function maskAll<T>(value: T): T
export function maskAll(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map((each: unknown) => maskAll(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => [
      name,
      secretMembers.has(name) && typeof each === 'string' ? mask(each) : maskAll(each),
    ]),
  )
}
