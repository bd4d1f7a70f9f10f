/** Has the user authorize a server: nothing is opened before their consent, and nobody listens afterwards (SEP-1028). */

import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { ListenerSteps, Listener } from './listener.ts'
import type { Redirect } from './redirects.ts'
import type { AuthRequest, AuthResult, Decision, UserInterface } from './work.ts'

/** The steps on the way to a callback. */
export interface AuthorizeSteps extends ListenerSteps {
  readonly isWebPage: (url: string) => boolean
  readonly promptText: (server: string, request: AuthRequest) => string
  readonly decide: (user: UserInterface, text: string, url: string) => Promise<Decision>
  readonly selectRedirect: (request: AuthRequest) => Redirect | undefined
  readonly listen: (
    redirect: Redirect,
    state: string | null,
    steps: ListenerSteps,
  ) => Promise<Listener>
  readonly withRedirectUri: (url: string, redirectUri: string) => string
  readonly openUrl: (url: string) => Promise<boolean>
  readonly resultOf: (callback: string) => AuthResult
  readonly closeListener: (listener: Listener) => Promise<void>
}

/** The callback URL; nothing where the user declined. */
export async function authorize(
  server: string,
  request: AuthRequest,
  user: UserInterface,
  parts: AuthorizeSteps,
): Promise<AuthResult> {
  const { url } = request
  if (!parts.isWebPage(url)) {
    user.tell(`${server} wanted to open something that is no web page, and was refused.`)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'url is not that of a web page')
  }
  const decision = await parts.decide(user, parts.promptText(server, request), url)
  if (decision !== 'accept') return {}
  const redirect = parts.selectRedirect(request)
  if (redirect === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no redirect URI is supported')
  const listener = await parts.listen(redirect, new URL(url).searchParams.get('state'), parts)
  try {
    if (!(await parts.openUrl(parts.withRedirectUri(url, listener.redirectUri))))
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'no browser could be started')
    return parts.resultOf(await listener.callback)
  } finally {
    await parts.closeListener(listener)
  }
}

export function decide(user: UserInterface, text: string, url: string): Promise<Decision> {
  return user.ask(text, url)
}
