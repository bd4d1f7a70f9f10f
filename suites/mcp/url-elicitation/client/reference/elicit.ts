/** The consent of the user: nothing is fetched or opened, and nothing is accepted, before it. */

import { ProtocolError, ProtocolErrorCode, type ElicitResult } from '@modelcontextprotocol/client'
import type { Decision, UrlRequest, UserInterface } from './work.ts'

/** What a server asked for; a mode that was not declared is an error (Elicitation, Error Handling). */
export function urlRequestOf(params: Readonly<Record<string, unknown>>): UrlRequest {
  const { mode, url, message, elicitationId } = params
  if (mode !== 'url' || typeof url !== 'string' || typeof message !== 'string')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'only URL mode is supported')
  return { url, message, ...(typeof elicitationId === 'string' ? { elicitationId } : {}) }
}

/** The steps on the way to an answer. */
export interface ConsentSteps {
  readonly isWebPage: (url: string) => boolean
  readonly warningFor: (url: string) => string | undefined
  readonly promptText: (server: string, request: UrlRequest, warning?: string) => string
  readonly decide: (user: UserInterface, text: string, url: string) => Promise<Decision>
  readonly openUrl: (url: string) => Promise<boolean>
}

/** Asks the user, and opens the URL where they agree. */
export async function consent(
  server: string,
  request: UrlRequest,
  user: UserInterface,
  parts: ConsentSteps,
): Promise<Decision> {
  const { url } = request
  if (!parts.isWebPage(url)) {
    user.tell(`${server} wanted to open something that is no web page, and was refused.`)
    return 'cancel'
  }
  const text = parts.promptText(server, request, parts.warningFor(url))
  const decision = await parts.decide(user, text, url)
  if (decision !== 'accept') return decision
  if (await parts.openUrl(url)) return 'accept'
  user.tell('No browser could be started. Open it yourself, please.')
  return 'accept'
}

/** The answer to the server: what a user did, and nothing with it. */
export function answerFor(decision: Decision): ElicitResult {
  return { action: decision }
}

export function decide(user: UserInterface, text: string, url: string): Promise<Decision> {
  return user.ask(text, url)
}
