/** The origins of an application on this machine: whichever port of the loopback interface it listens on. */

const hosts = ['localhost', '127.0.0.1', '[::1]']

/** Each origin of the loopback interface is reached as it is (RFC 8252 §7.3). */
export class LoopbackOrigins extends Map<string, string> {
  override has(origin: string): boolean {
    return super.has(origin) || isLoopback(origin)
  }

  override get(origin: string): string | undefined {
    return super.get(origin) ?? (isLoopback(origin) ? origin : undefined)
  }
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && hosts.includes(new URL(origin).hostname)
}
