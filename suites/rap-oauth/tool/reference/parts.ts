/** The steps of this tool as plain functions; `createRapTool` takes others in their place. */

import { acknowledge } from './acknowledge.ts'
import {
  buildAuthorizationUrl,
  newState,
  newVerifier,
  pkceParameters,
  redirectUri,
  requireHttps,
} from './authorization-request.ts'
import { isAnswer, validateResponse, validateState } from './authorization-response.ts'
import { addressOf, checkCall, parseInvocation, type Address } from './call.ts'
import { createCipher } from './cipher.ts'
import { deliver, shouldRetry } from './deliver.ts'
import { expireFlow, reportFailure, resumeCall } from './endings.ts'
import { describeError } from './failure.ts'
import { claimFlow } from './flow-store.ts'
import { log } from './log.ts'
import { echoIds } from './messages.ts'
import { nextStep } from './next-step.ts'
import { describeToolset, requiredScopes } from './operations.ts'
import { renderPage } from './page.ts'
import { performOperation } from './perform-operation.ts'
import { post } from './post.ts'
import { discoverProvider } from './provider.ts'
import { exchangeCode, refreshTokens } from './token-requests.ts'
import { deleteTokens, loadTokens, saveTokens, recordName } from './token-store.ts'
import { isExpired } from './tokens.ts'

type Route = (request: Request) => Response | Promise<Response>

export const defaultParts = {
  /** Whatever comes in passes here before it is routed. */
  serve: (request: Request, route: Route): Response | Promise<Response> => route(request),
  // the invocation
  describeToolset,
  parseInvocation,
  acknowledge,
  addressOf,
  checkCall,
  requiredScopes,
  // the way to the user
  discoverProvider,
  redirectUri,
  newState,
  newVerifier,
  pkceParameters,
  buildAuthorizationUrl,
  requireHttps,
  // the way back
  validateState,
  isAnswer,
  claimFlow,
  validateResponse,
  exchangeCode,
  renderPage,
  // tokens
  createCipher,
  recordName,
  saveTokens,
  loadTokens,
  deleteTokens,
  isExpired,
  refreshTokens,
  // the operation and its end
  performOperation,
  nextStep,
  resumeCall,
  expireFlow,
  reportFailure,
  describeError,
  /** RAP Tool Cancellation, Fields: the thread and the call within it. */
  isCancelled: (call: Address, groupId: string, id: string): boolean =>
    call.groupId === groupId && call.id === id,
  // messages
  echoIds,
  deliver,
  post,
  shouldRetry,
  // surroundings
  now: () => Date.now(),
  log,
}

export type Parts = Readonly<typeof defaultParts>
