/** Finds tokens that were cut: a JWT begins as all of its server do, so only what follows that is its own. */

/** Characters beyond what all tokens share that prove the token. */
const proof = 20
const tokenCharacter = /[\w.-]/

interface Family {
  /** How all tokens with this header begin. */
  shared: string
  readonly tokens: string[]
  /** The token by the first characters that are its own. */
  readonly own: Map<string, string>
}

/** The JWTs of a run by what they share; a single one shares nothing yet, and proves nothing by its beginning. */
export class TokenBeginnings {
  readonly #families = new Map<string, Family>()

  /** Takes a value into account; what is no JWT is ignored. */
  add(value: string): void {
    const segments = value.split('.')
    if (segments.length !== 3) return
    const [header = '', claims = ''] = segments
    const token = `${header}.${claims}`
    const family = this.#families.get(header) ?? emptyFamily(token)
    this.#families.set(header, family)
    const shared = sharedLength(family.shared, token)
    family.tokens.push(value)
    if (shared < family.shared.length) {
      family.shared = token.slice(0, shared)
      family.own.clear()
      for (const each of family.tokens) enter(family, each)
    } else {
      enter(family, value)
    }
  }

  /** Calls `replace` for every beginning of a token that is long enough, and puts its answer in the place of it. */
  replace(text: string, replace: (token: string) => string): string {
    let replaced = text
    for (const family of this.#families.values()) {
      if (family.tokens.length > 1) replaced = replaceIn(replaced, family, replace)
    }
    return replaced
  }
}

function emptyFamily(shared: string): Family {
  return { shared, tokens: [], own: new Map() }
}

function enter({ shared, own }: Family, token: string): void {
  const first = token.slice(shared.length, shared.length + proof)
  if (!own.has(first)) own.set(first, token)
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

function replaceIn(text: string, { shared, own }: Family, replace: (token: string) => string) {
  const parts: string[] = []
  let copied = 0
  let at = text.indexOf(shared)
  while (at !== -1) {
    const from = at + shared.length
    const token = own.get(text.slice(from, from + proof))
    let end = from
    if (token !== undefined) {
      end += proof
      while (end < text.length && tokenCharacter.test(text[end] ?? '')) end += 1
      parts.push(text.slice(copied, at), replace(token))
      copied = end
    }
    at = text.indexOf(shared, end)
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied)
}
