/** What the login page looks like where it is to look like somebody's own. */
import type { User } from '../authorization/user.ts'
import { requireKnown } from '../provider/known-names.ts'

/** The look of the pages that a person meets on the way; each member may be left out. */
export interface Branding {
  /** Whose pages they are, shown above each of them. */
  readonly name?: string | undefined
  /** Of the buttons, as `#0b57d0`. */
  readonly accentColor?: string | undefined
  /** Behind the card, as `#f4f4f7`. */
  readonly backgroundColor?: string | undefined
  /** An image: a `data:` or `https:` URL, or an `http:` URL of this machine. */
  readonly logo?: string | undefined
  /** Writes the login page itself: a whole HTML document. In code only. */
  readonly loginPage?: ((login: Login) => string | Promise<string>) | undefined
}

/** What a login page of one's own has to show, and the form that it has to send. */
export interface Login {
  readonly clientId: string
  readonly clientName: string
  /** None where a device waits. */
  readonly redirectUri: string | undefined
  readonly scopes: readonly string[]
  readonly users: readonly User[]
  /** Who is expected to sign in, if somebody is. */
  readonly selected: string | undefined
  /**
   * Where the form goes, by POST: `action` is `approve` or `deny`; with it `subject`, `scopes` (each on its own; none
   * means all), `faults` and `access_token_lifetimes`.
   */
  readonly action: string
}

const memberNames: readonly string[] = Object.keys({
  name: true,
  accentColor: true,
  backgroundColor: true,
  logo: true,
  loginPage: true,
} satisfies Record<keyof Branding, true>)

const color = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

/** What a stylesheet or a policy would otherwise be told. @throws TypeError */
export function requireBranding(branding: Branding): void {
  requireKnown('member of branding', branding, memberNames)
  for (const name of ['accentColor', 'backgroundColor'] as const) {
    const given = branding[name]
    if (given !== undefined && !color.test(given)) {
      throw new TypeError(`${name} must be a colour as #0b57d0, but is ${given}`)
    }
  }
  if (branding.logo !== undefined && logoSource(branding.logo) === undefined) {
    throw new TypeError('logo must be a data:, https: or local http: URL of an image')
  }
}

/** What the content security policy calls the place of the logo (CSP 3 §2.3.1). */
export function logoSource(logo: string): string | undefined {
  if (!URL.canParse(logo)) return undefined
  const { protocol, hostname, origin } = new URL(logo)
  if (protocol === 'data:') return logo.startsWith('data:image/') ? 'data:' : undefined
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return protocol === 'https:' || (protocol === 'http:' && isHere) ? origin : undefined
}

/** Rules that come after the usual ones. */
export function styleOf({ accentColor, backgroundColor }: Branding): string {
  return [
    ...(backgroundColor === undefined ? [] : [`body { background: ${backgroundColor} }`]),
    ...(accentColor === undefined
      ? []
      : [
          `button { border-color: ${accentColor}; background: ${accentColor}; color: ${textOn(accentColor)} }`,
          `button.other { color: inherit }`,
          `input[type=checkbox] { accent-color: ${accentColor} }`,
        ]),
    `.brand { display: flex; align-items: center; gap: .75rem; font-weight: 600; margin: 0 0 1rem }`,
    `.brand img { max-height: 3rem; max-width: 10rem }`,
  ].join('\n')
}

/** Black or white, whichever is easier to read on a colour (WCAG 2.2, relative luminance). */
function textOn(background: string): '#000' | '#fff' {
  const digits = background.slice(1)
  const pairs =
    digits.length === 3 ? digits.match(/./g)?.map((each) => each + each) : digits.match(/../g)
  const [red = 0, green = 0, blue = 0] = (pairs ?? []).map((pair) => {
    const part = Number.parseInt(pair, 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  // the luminance at which both contrasts are the same
  return luminance > 0.179 ? '#000' : '#fff'
}
