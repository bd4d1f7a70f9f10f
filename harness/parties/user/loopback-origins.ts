/** The origins of an application on this machine: whichever port of the loopback interface it listens on. */

/** What this machine is called in URLs. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Each origin of the loopback interface is reached as it is, but for those of others (RFC 8252 §7.3). */
export class LoopbackOrigins extends Map<string, string> {
  readonly #others: readonly string[]

  constructor(...others: readonly string[]) {
    super()
    this.#others = others
  }

  override has(origin: string): boolean {
    return this.get(origin) !== undefined
  }

  override get(origin: string): string | undefined {
    const isOwn = isLoopback(origin) && !this.#others.includes(origin)
    return super.get(origin) ?? (isOwn ? origin : undefined)
  }
}

export function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && loopbackNames.includes(new URL(origin).hostname)
}
