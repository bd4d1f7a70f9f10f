/** The secrets of a run, and the scanner that finds and removes them: one pass both detects and redacts. */

import { Anchors } from './anchors.ts'
import { needlesOf, shortestDeclared, shortestSecret, type Needle } from './encodings.ts'
import { Memo } from './memo.ts'
import { readingsOf, type Reading, type Readings } from './readings.ts'
import { TokenBeginnings } from './token-beginnings.ts'

export interface Secret {
  /** Names the secret without telling it: `access_token-7`. */
  readonly id: string
  readonly kind: string
  readonly value: string
}

/** One place at which a secret was found. */
export interface Hit {
  readonly id: string
  readonly kind: string
  readonly encoding: string
}

export interface Redacted {
  readonly text: string
  readonly hits: readonly Hit[]
}

/** How a text begins that could not be redacted in part. */
export const withheld = '[text withheld'

interface IndexedNeedle extends Needle {
  readonly secret: Secret
}

/** Chosen by a vendor, so that a part of it may be an ordinary word: only the whole of it is a leak. */
const chosen = ['client_secret', 'invocation_credential', 'vendor_secret']

/** What a text is sighted as that could not be read to its end, as when it inflates to more than the bounds. */
export const unreadKind = 'unread'
const unreadHit: Hit = { id: 'unread', kind: unreadKind, encoding: 'unread' }

/** How many characters needles are looked up by: the long ones by as many as are proof. */
const anchorLengths = [shortestSecret, shortestDeclared]
/** Most forms of random values that are told apart where they begin alike; more make no text slower to scan. */
const mostAlike = 64

/** Knows the secrets of a run, and finds and replaces them in any text, in every usual encoding. */
export class SecretLedger {
  readonly #secrets = new Map<string, Secret>()
  readonly #index = new Map<string, IndexedNeedle[]>()
  readonly #counts = new Map<string, number>()
  readonly #beginnings = new TokenBeginnings()
  readonly #anchors = new Anchors()
  /** What was found in texts, until there is another secret to be found. */
  readonly #redacted = new Memo<Redacted>(({ text }) => text.length)
  /** What texts say depends on no secret. */
  #readings = new Memo<Readings>(({ readings }) => charactersOf(readings))
  /** Shortest text in which there can be a secret. */
  #shortest = shortestSecret

  /** Enters a secret under a new id; an already known value keeps its first id. */
  add(kind: string, value: string, id?: string): Secret {
    const known = this.#secrets.get(value)
    if (known) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const secret = { id: id ?? `${kind}-${count}`, kind, value }
    this.#secrets.set(value, secret)
    const random = !chosen.includes(kind)
    if (value.length >= (random ? shortestSecret : shortestDeclared)) {
      this.#redacted.forget()
      this.#indexNeedles(secret, random)
      if (random) this.#beginnings.add(value)
    }
    return secret
  }

  /** A ledger of the secrets of these kinds alone, under the same ids. */
  ofKinds(...kinds: readonly string[]): SecretLedger {
    const part = new SecretLedger()
    part.#readings = this.#readings
    for (const { id, kind, value } of this.#secrets.values()) {
      if (kinds.includes(kind)) part.add(kind, value, id)
    }
    return part
  }

  /** The secret with exactly this value. */
  find(value: string): Secret | undefined {
    return this.#secrets.get(value)
  }

  get size(): number {
    return this.#secrets.size
  }

  /**
   * Replaces every secret in a text by its id and says which were found, and how encoded. A text that shows one only
   * when something is undone in it is withheld as a whole, and so is one that is too much to be read.
   */
  redact(text: string): Redacted {
    if (text.length < this.#shortest) return { text, hits: [] }
    return this.#redacted.get(text, (unknown) => this.#redact(unknown))
  }

  #redact(text: string): Redacted {
    const plain = this.#replace(text)
    const hits = new Map(plain.hits.map((hit) => [hit.id, hit]))
    const { readings, unread } = this.#readings.get(plain.text, readingsOf)
    let hidden = false
    for (const reading of readings) {
      for (const hit of this.#replace(reading.text).hits) {
        hidden = true
        if (!hits.has(hit.id)) hits.set(hit.id, { ...hit, encoding: reading.encoding })
      }
    }
    const found = [...hits.values()]
    if (hidden) {
      const ids = found.map((hit) => hit.id).join(', ')
      return { text: `${withheld}: it contains ${ids}]`, hits: found }
    }
    if (unread) {
      return { text: `${withheld}: it cannot be read to its end]`, hits: [...found, unreadHit] }
    }
    return { text: plain.text, hits: found }
  }

  #indexNeedles(secret: Secret, random: boolean): void {
    for (const needle of needlesOf(secret.value, random)) {
      const key = keyOf(needle)
      const bucket = this.#index.get(key) ?? []
      if (bucket.length >= mostAlike && random && plain.includes(needle.encoding)) continue
      this.#shortest = Math.min(this.#shortest, needle.text.length)
      this.#anchors.add(key)
      bucket.push({ ...needle, secret })
      bucket.sort((a, b) => wholeness(b) - wholeness(a) || b.text.length - a.text.length)
      this.#index.set(key, bucket)
    }
  }

  #replace(text: string): Redacted {
    const hits: Hit[] = []
    const parts: string[] = []
    const found = ({ id, kind }: Secret, encoding: string): string => {
      hits.push({ id, kind, encoding })
      return `[secret ${encoding === 'raw' ? id : `${id} ${encoding}`}]`
    }
    let copied = 0
    for (let at = this.#anchors.next(text, 0); at < text.length;) {
      const match = this.#matchAt(text, at, copied)
      if (match) {
        const { needle, start, end } = match
        parts.push(text.slice(copied, start), found(needle.secret, needle.encoding))
        copied = end
      }
      at = this.#anchors.next(text, match?.end ?? at + 1)
    }
    const whole = hits.length === 0 ? text : parts.join('') + text.slice(copied)
    const replaced = this.#beginnings.replace(whole, (token) =>
      found(this.#secrets.get(token)!, 'part'),
    )
    return { text: replaced, hits }
  }

  #matchAt(text: string, at: number, copied: number): Match | undefined {
    for (const length of anchorLengths) {
      for (const needle of this.#index.get(text.slice(at, at + length)) ?? []) {
        const start = at - needle.anchor
        const end = start < copied ? 0 : matchEnd(needle, text, start)
        if (end > 0) return { needle, start, end }
      }
    }
    return undefined
  }
}

function charactersOf(readings: readonly Reading[]): number {
  return readings.reduce((sum, { text }) => sum + text.length, 0)
}

interface Match {
  readonly needle: IndexedNeedle
  readonly start: number
  readonly end: number
}

/** The piece by which a needle is looked up. */
function keyOf({ text, anchor, least }: Needle): string {
  const length = anchorLengths.find((each) => each <= least) ?? least
  return text.slice(anchor, anchor + length)
}

/** Forms that are sought by their parts as well, so that nothing is missed where one of them is left out. */
const plain = ['raw', 'part']

/** What is a whole secret is preferred to a part of one. */
function wholeness({ encoding }: Needle): number {
  return encoding === 'part' ? 0 : 1
}

/** Where the text stops to agree with the needle that begins here; 0 when too little of it does to prove anything. */
function matchEnd({ text: needle, anchor, least, alone }: Needle, text: string, start: number) {
  const proven = anchor + least
  let length = 0
  while (length < needle.length && text[start + length] === needle[length]) length += 1
  if (length < proven) return 0
  const end = start + length
  if (alone && (adjoins(text[start - 1]) || adjoins(text[end]))) return 0
  return end
}

function adjoins(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}

/** A text in which secrets that stand in percent-escapes are named as they are once these are undone. */
export function withDecodedSecrets(text: string): string {
  return text.replaceAll(/\[secret ([^\s\]]+) percent\]/g, '[secret $1]')
}

/** A text with a plain word in the place of each secret, which had neither the blanks nor the brackets of its name here. */
export function withoutSecretNames(text: string): string {
  return text.replaceAll(/\[secret [^\][]*\]/g, 'secret')
}
