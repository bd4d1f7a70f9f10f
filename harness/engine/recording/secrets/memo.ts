/** Remembers what was found out about short texts: most of what is recorded was recorded before. */

/** Longest text that is remembered, in characters; longer ones are seldom alike. */
const longest = 1024
/** Characters that are remembered, those of the texts and those of what is known of them; then it begins anew. */
const most = 4 * 1024 * 1024

/** What a function of a text returned, within bounds, until it is forgotten. */
export class Memo<T> {
  readonly #known = new Map<string, T>()
  readonly #sizeOf: (value: T) => number
  #size = 0

  /** @param sizeOf how many characters a value holds */
  constructor(sizeOf: (value: T) => number) {
    this.#sizeOf = sizeOf
  }

  /** What is known of the text, or else what `find` says. */
  get(text: string, find: (text: string) => T): T {
    if (text.length > longest) return find(text)
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const value = find(text)
    this.#size += text.length + this.#sizeOf(value)
    if (this.#size > most) this.forget()
    else this.#known.set(text, value)
    return value
  }

  forget(): void {
    this.#known.clear()
    this.#size = 0
  }
}
