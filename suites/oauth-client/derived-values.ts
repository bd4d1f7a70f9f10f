/** Values that are to be random, and can be computed from what others know. */

import { createHash } from 'node:crypto'

/** What others know, by name. */
export type Known = Readonly<Record<string, string | null | undefined>>

/** Characters of a digest by which it is recognized where it is cut short. */
const enough = 16

/** At most so many known values in one text. */
const mostTogether = 3

/** What may stand between two values, and between three. */
const separators = [[''], ['', ':', '|', '-', '.', '/', '_', ' ', ',', '\n'], ['', ':', '|', '-']]

/** How a value follows from what is known, if it does. */
export function derivationOf(value: string, known: Known): string | undefined {
  const wanted = value.toLowerCase()
  for (const [how, text] of derived(known)) {
    const found = text.toLowerCase()
    if (found === wanted || (wanted.length >= enough && found.startsWith(wanted))) return how
  }
  return undefined
}

/** How the code_verifier of a challenge follows from what is known, if it does (RFC 7636 §4.2: S256). */
export function verifierDerivationOf(challenge: string, known: Known): string | undefined {
  for (const [how, text] of derived(known)) {
    const s256 = createHash('sha256').update(text.replace(/=+$/, '')).digest('base64url')
    if (s256 === challenge) return how
  }
  return undefined
}

function* derived(known: Known): Generator<[how: string, text: string]> {
  const named = Object.entries(known).flatMap(([name, value]) => (value ? [{ name, value }] : []))
  const twice = named.map((each) => [each, each])
  for (const chosen of [...arrangements(named), ...twice]) {
    const names = chosen.map(({ name }) => name).join(' and ')
    for (const separator of separators[chosen.length - 1] ?? []) {
      const text = chosen.map(({ value }) => value).join(separator)
      for (const [encoding, encoded] of encodingsOf(text))
        yield [`the ${encoding} of ${names}`, encoded]
    }
  }
}

/** Every choice of a few, in every order. */
function* arrangements<T>(all: readonly T[], length = mostTogether): Generator<readonly T[]> {
  for (const [index, first] of all.entries()) {
    yield [first]
    if (length === 1) continue
    for (const rest of arrangements(all.toSpliced(index, 1), length - 1)) yield [first, ...rest]
  }
}

function encodingsOf(value: string): [encoding: string, text: string][] {
  const bytes = Buffer.from(value)
  const digests = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm): [string, string][] => {
    const digest = createHash(algorithm).update(value).digest()
    return [
      [algorithm, digest.toString('hex')],
      [algorithm, digest.toString('base64url')],
      [algorithm, digest.toString('base64')],
    ]
  })
  return [
    ['value', value],
    ['reversal', Array.from(value).toReversed().join('')],
    ['base64 form', bytes.toString('base64')],
    ['base64url form', bytes.toString('base64url')],
    ['hex form', bytes.toString('hex')],
    ...digests,
  ]
}
