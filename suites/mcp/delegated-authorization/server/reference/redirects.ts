/** Where a client may have the provider send the browser: what is offered, and what came back (SEP-1028, Redirect URI Selection). */

/** What clients are offered: on the loopback interface any port will do (RFC 8252 §7.3). */
export function redirectOptions(redirectUris: readonly string[]): string[] {
  return redirectUris.map((uri) => uri.replace(/^(http:\/\/127\.0\.0\.1):\d+/, '$1:{port}'))
}

/** The redirect URI that a client has selected, by the callback; undefined where it is none of them. */
export function selectedRedirect(
  callback: string,
  options: readonly string[],
  requested: string,
): string | undefined {
  const [base = ''] = callback.split('?', 1)
  return [requested, ...options].some((option) => matches(option, base)) ? base : undefined
}

function matches(option: string, base: string): boolean {
  const pattern = option.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\\{port\\}', '\\d{1,5}')
  return new RegExp(`^${pattern}$`).test(base)
}
