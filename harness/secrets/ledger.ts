/** The secrets of a run, and the scanner that finds and removes them: one pass both detects and redacts. */

import { decodings, needlesOf, shortestSecret, type Needle } from './encodings.ts'

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

/** Length of the piece by which needles are indexed; no needle is shorter. */
const anchorLength = 12

export class SecretLedger {
  readonly #secrets = new Map<string, Secret>()
  readonly #index = new Map<string, IndexedNeedle[]>()
  readonly #counts = new Map<string, number>()
  /** Which beginnings needles have: rules out nearly every place of a text at the price of one look. */
  readonly #beginnings = new Uint8Array(1 << 20)

  /** Enters a secret under a new id; an already known value keeps its first id. */
  add(kind: string, value: string, id?: string): Secret {
    const known = this.#secrets.get(value)
    if (known) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const secret = { id: id ?? `${kind}-${count}`, kind, value }
    this.#secrets.set(value, secret)
    if (value.length >= shortestSecret) this.#indexNeedles(secret)
    return secret
  }

  /** A ledger of the secrets of one kind alone, under the same ids. */
  ofKind(kind: string): SecretLedger {
    const part = new SecretLedger()
    for (const secret of this.#secrets.values()) {
      if (secret.kind === kind) part.add(kind, secret.value, secret.id)
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

  /** Replaces every secret in a text by its id and says which were found, and how encoded. */
  redact(text: string): Redacted {
    const plain = this.#replace(text)
    const hits = new Map(plain.hits.map((hit) => [hit.id, hit]))
    let hidden = false
    for (const reading of decodings(plain.text)) {
      for (const hit of this.#replace(reading.text).hits) {
        hidden = true
        if (!hits.has(hit.id)) hits.set(hit.id, { ...hit, encoding: reading.encoding })
      }
    }
    const all = [...hits.values()]
    if (!hidden) return { text: plain.text, hits: all }
    return {
      text: `${withheld}: it contains ${all.map((hit) => hit.id).join(', ')}]`,
      hits: all,
    }
  }

  #indexNeedles(secret: Secret): void {
    for (const needle of needlesOf(secret.value, !chosen.includes(secret.kind))) {
      const anchor = needle.text.slice(0, anchorLength)
      this.#beginnings[beginningAt(anchor, 0)] = 1
      const bucket = this.#index.get(anchor) ?? []
      bucket.push({ ...needle, secret })
      bucket.sort(
        (a, b) =>
          Number(a.partial ?? false) - Number(b.partial ?? false) || b.text.length - a.text.length,
      )
      this.#index.set(anchor, bucket)
    }
  }

  #replace(text: string): Redacted {
    const hits: Hit[] = []
    const parts: string[] = []
    let copied = 0
    for (let at = 0; at + anchorLength <= text.length;) {
      if (this.#beginnings[beginningAt(text, at)] === 0) {
        at += 1
        continue
      }
      const bucket = this.#index.get(text.slice(at, at + anchorLength))
      const needle = bucket?.find((candidate) => matchLength(candidate, text, at) > 0)
      if (!needle) {
        at += 1
        continue
      }
      const { id, kind } = needle.secret
      hits.push({ id, kind, encoding: needle.encoding })
      const label = needle.encoding === 'raw' ? id : `${id} ${needle.encoding}`
      parts.push(text.slice(copied, at), `[secret ${label}]`)
      at += matchLength(needle, text, at)
      copied = at
    }
    if (hits.length === 0) return { text, hits }
    parts.push(text.slice(copied))
    return { text: parts.join(''), hits }
  }
}

/** A hash of the four characters at this place. */
function beginningAt(text: string, at: number): number {
  const [a, b] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  const [c, d] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return (a ^ (b << 5) ^ (c << 10) ^ (d << 13)) & 0xfffff
}

/** How many characters of the text at this place belong to the needle; 0 when too few do to prove anything. */
function matchLength(needle: Needle, text: string, at: number): number {
  if (text.startsWith(needle.text, at)) return needle.text.length
  if (!needle.partial || !text.startsWith(needle.text.slice(0, shortestSecret), at)) return 0
  let length = shortestSecret
  while (length < needle.text.length && text[at + length] === needle.text[length]) length += 1
  return length
}
