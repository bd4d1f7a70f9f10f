/** The steps of this agent as plain functions; `createAgent` takes others in their place. */

import {
  claim,
  credentialIn,
  isAtRedirectUri,
  matchPending,
  readAnswer,
  type Answer,
} from './answers.ts'
import type { Config } from './environment.ts'
import { authConfigOf, callsSaid, newId, requestSaid, resultsSaid } from './events.ts'
import { describeFailure } from './failure.ts'
import { log } from './log.ts'
import { askModel } from './model.ts'
import {
  authorizationUrl,
  exchangeCode,
  isExpired,
  newState,
  newVerifier,
  pkceParameters,
  readCallback,
  refresh,
  type Callback,
  type Flow,
} from './oauth.ts'
import { recordOf } from './owner.ts'
import { createQueue } from './queue.ts'
import { createCipher } from './sealed-files.ts'
import { contentsOf, sessionName, type Session, type ToolCall } from './session.ts'
import { callApi, credentialKey, type Fields } from './tools.ts'

/** Nothing that the model writes is a token. */
const tokenIn: (values: Fields) => string | undefined = () => undefined

/** What was configured, whatever the answer says. */
const endpointsFor: (config: Config, answer: Answer) => Config['oauth'] = ({ oauth }) => oauth

/** By our own record alone, whatever the answer says. */
const believed: (
  config: Config['oauth'],
  flow: Flow,
  query: URLSearchParams,
  answer: Answer,
) => Callback = (config, flow, query) => readCallback(config, flow, query)

/** The result as the API gave it, without anything else. */
const describeResult: (result: Fields, token: string) => Fields = (result) => result

/** What the model is told of a failure; undefined where the user is asked once more instead. */
const tellFailure: (error: unknown) => Fields | undefined = describeFailure

export const defaultParts = {
  sessionName,
  // asking
  newId,
  /** The id of a call of the model, the nth of its session. */
  callId: (_nth: number): string => newId(),
  newState,
  newVerifier,
  pkceParameters,
  authorizationUrl,
  authConfigOf,
  callsSaid,
  requestSaid,
  resultsSaid,
  /** The result of a call whose user is not asked, though there is no credential. */
  insteadOfAsking: (_session: Session, _call: ToolCall): Fields | undefined => undefined,
  /** Whether the invocation waits while a request is unanswered. */
  pauses: (session: Session): boolean => session.pending.length > 0,
  // answers
  matchPending,
  claim,
  readAnswer,
  isAtRedirectUri,
  credentialIn,
  readCallback: believed,
  /** Whether the flow of one user may be completed for another. */
  completesFor: (begun: string, user: string): boolean => begun === user,
  /** Where the code goes: to what was configured, whatever the answer says. */
  endpointsFor,
  exchangeCode,
  // tokens
  createQueue,
  createCipher,
  credentialKey,
  recordOf,
  isExpired,
  refresh,
  /** What becomes of a stored token that the API refuses. */
  onRefusal: (): 'renew' | 'fail' => 'renew',
  /** The token that a call is made with, before any that is stored. */
  tokenIn,
  callApi,
  // results
  describeResult,
  describeFailure: tellFailure,
  contentsOf,
  askModel,
  /** The session as client applications may read it. */
  describeSession: ({ id, appName, userId, state, events, lastUpdateTime }: Session): Fields => ({
    id,
    appName,
    userId,
    state,
    events,
    lastUpdateTime,
  }),
  log,
}

export type Parts = Readonly<typeof defaultParts>
