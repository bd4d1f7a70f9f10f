/** Which redirect URIs a call offers, and the client that selects another one of them (SEP-1028, Redirect URI Selection). */

import { anotherOption, optionsIn } from '../../auth-request.ts'
import { redirectUrl } from '../redirect-url.ts'
import type { Call } from '../session.ts'
import type { CallView } from '../view.ts'

/** The port of a client that fills in an option. */
export const port = Number(new URL(redirectUrl).port) + 1

/** What the first `auth/request` of a call offers. */
export function offered({ askings }: CallView): readonly string[] {
  const [asking] = askings
  return asking ? optionsIn(asking.params) : []
}

/** A URL that refers to a pushed or signed request does not say where the redirect goes (RFC 9126, RFC 9101). */
export function redirectIn(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined
  return new URL(url).searchParams.get('redirect_uri') ?? undefined
}

/** Has the provider redirect to another redirect URI that is offered; `undefined` where there is none. @throws Unreached */
export async function selectAnother(call: Call): Promise<string | undefined> {
  const requested = redirectIn(await call.asked())
  const another = anotherOption(offered(call.view()), requested, port)
  if (another !== undefined) call.select(another)
  return another
}
