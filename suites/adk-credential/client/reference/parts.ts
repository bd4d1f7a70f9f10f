/** The steps of this client application as plain functions; `createClient` takes others in their place. */

import { createSession, runTurn } from './agent-api.ts'
import { answerFor, authUriOf, isSafeUrl, withRedirect } from './consent.ts'
import { requestName, requestsIn } from './events.ts'
import { callbackPage } from './page.ts'
import type { CredentialRequest, Fields, Item, Pending, Session } from './work.ts'

export const defaultParts = {
  // the agent
  createSession,
  runTurn,
  requestsIn,
  // the way to the provider
  authUriOf,
  isSafeUrl,
  withRedirect,
  /** What is done with requests beside having their URLs opened. */
  onRequests: (
    _requests: readonly CredentialRequest[],
    _send: (parts: readonly Fields[]) => void,
  ): void => undefined,
  // the way back
  /** The pending request of a state, which is not pending any more. */
  takePending(
    pending: Map<string, Pending>,
    state: string | null,
    _url: string,
  ): Pending | undefined {
    const found = pending.get(state ?? '')
    pending.delete(state ?? '')
    return found
  },
  callbackUrl: (url: string): string => url,
  answersCallback: (_url: string): boolean => true,
  answerFor,
  answerPart: ({ request }: Pending, response: Fields): Fields => ({
    functionResponse: { id: request.id, name: requestName, response },
  }),
  sessionFor: ({ session }: Pending): Session => session,
  callbackPage,
  /** Whether a browser with these cookies may bring something back. */
  mayComeBack: (_cookies: string): boolean => true,
  /** Where a callback sends its browser on to, in place of its page. */
  goesOnTo: (): string | undefined => undefined,
  // the user
  /** How what the user said is answered. */
  answerMessage: (_user: string, _items: () => readonly Item[]): Response =>
    new Response(null, { status: 204 }),
  itemsFor: (item: Item): readonly Item[] => [item],
  /** What is answered at a link of this application to itself. */
  leadsTo: (_key: string): Response | undefined => undefined,
  failureItems: (reason: string): readonly Item[] => [
    { kind: 'notice', text: `That did not work: ${reason}. Please try again.` },
  ],
  log: (_line: string): void => undefined,
}

export type Parts = Readonly<typeof defaultParts>
