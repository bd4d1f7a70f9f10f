/** The steps of this client as plain functions; `createHost` takes others in their place. */

import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { Completions } from './completions.ts'
import { answerFor, consent, decide, urlRequestOf } from './elicit.ts'
import { openUrl } from './open-url.ts'
import { isWebPage, promptText, warningFor } from './prompt.ts'
import { createTransport } from './transports.ts'
import type { UrlRequest, UserInterface } from './work.ts'

export const defaultParts = {
  // a call
  mayCall: (_user: UserInterface, _tool: string): Promise<boolean> => Promise.resolve(true),
  startCall: (call: () => Promise<void>): Promise<void> => call(),
  // a server
  negotiation: (): 'auto' | 'legacy' => 'auto',
  capabilities: (): ClientCapabilities => ({ elicitation: { url: {} } }),
  createTransport,
  // what is asked
  urlRequestOf,
  isWebPage,
  warningFor,
  promptText,
  // the user
  consent,
  decide,
  openUrl,
  answerFor,
  // what comes afterwards
  mostRounds: (): number => 3,
  /** Of one server: their ids are unknown to others. */
  createCompletions: (): Completions => new Completions(),
  onComplete: (id: string, completions: Completions, _server: string): void =>
    completions.complete(id),
  handlesRequired: (_requests: readonly UrlRequest[]): Promise<boolean> => Promise.resolve(true),
  /** What the user is asked for, one after the other. */
  asksFor: (requests: readonly UrlRequest[]): readonly UrlRequest[] => requests,
  waitForCompletion: (completed: Promise<unknown>): Promise<unknown> => completed,
}

export type Parts = Readonly<typeof defaultParts>
