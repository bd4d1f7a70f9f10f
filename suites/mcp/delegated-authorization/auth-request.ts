/** `auth/request`, by which a server asks its client to have the user authorize it (SEP-1028). */

import type { Message } from '../wire/json-rpc.ts'
import type { Capabilities } from '../wire/revisions.ts'
import { isRecord, membersOf } from '../wire/values.ts'

export const authRequest = 'auth/request'

type Fields = Readonly<Record<string, unknown>>

/** Where a client declares it: as the proposal says, or beside it, for servers with typed capabilities. */
export const declarations = {
  standard: { delegated_authorization: {} },
  experimental: { experimental: { delegated_authorization: {} } },
} as const satisfies Readonly<Record<string, Capabilities>>
export type Declaration = keyof typeof declarations

/** Whether these capabilities declare it, in either place. */
export function declaresIt(capabilities: Fields): boolean {
  const name = 'delegated_authorization'
  return isRecord(capabilities[name]) || isRecord(membersOf(capabilities['experimental'])[name])
}

/** `params` of such a request, whatever is wrong with them; none of another message. */
export function authParamsIn(message: Message): Fields | undefined {
  return message.kind === 'request' && message.method === authRequest
    ? membersOf(message.value['params'])
    : undefined
}

/** The redirect URIs that a request offers; what is no text is left out. */
export function optionsIn(params: Fields): readonly string[] {
  const { redirect_uri_options: options } = params
  return Array.isArray(options) ? options.filter((each) => typeof each === 'string') : []
}

/** An option with its port; `undefined` where it has other places to fill, which only its server understands. */
export function filledOption(option: string, port: number): string | undefined {
  const filled = option.replaceAll('{port}', String(port))
  return /[{}]/.test(filled) ? undefined : filled
}

/** Another redirect URI than that of the request: the second one that can be filled, or else the only one. */
export function anotherOption(
  options: readonly string[],
  requested: string | undefined,
  port: number,
): string | undefined {
  const filled = options
    .map((option) => filledOption(option, port))
    .filter((each) => each !== undefined && each !== requested)
  return filled[1] ?? filled[0]
}

/** The authorization URL with another redirect URI; one that says nothing of it is left as it is (RFC 9101, 9126). */
export function withRedirectUri(url: string, redirectUri: string): string {
  const changed = new URL(url)
  if (!changed.searchParams.has('redirect_uri')) return url
  changed.searchParams.set('redirect_uri', redirectUri)
  return changed.href
}
