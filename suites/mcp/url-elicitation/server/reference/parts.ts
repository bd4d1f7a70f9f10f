/** The steps of this server as plain functions; `createItemsServer` takes others in their place. */

import { bearerToken, isMeantFor } from './access/bearer-token.ts'
import { ownsSession, principalOf } from './access/principal.ts'
import { describeResource } from './access/resource-metadata.ts'
import { verifyToken } from './access/verify-token.ts'
import {
  connectUrl,
  elicitationUrl,
  isSameUser,
  safeReturn,
  sendToProvider,
} from './browser/connect-page.ts'
import { forgetBrowser, isSameBrowser, rememberBrowser } from './browser/flow-cookie.ts'
import { createLogins, loggedIn } from './browser/logins.ts'
import { renderPage } from './browser/page.ts'
import { log } from './log.ts'
import { askByRequest, notifyComplete, sendElicitation } from './mcp/ask-by-request.ts'
import { supportsUrlMode } from './mcp/call.ts'
import { describeFailure, describeItems } from './mcp/describe-result.ts'
import {
  elicitationMessage,
  interaction,
  isPending,
  openElicitation,
  refusalOf,
} from './mcp/interaction.ts'
import { createStateCodec, isStateOf } from './mcp/request-state.ts'
import { createStdioTransport, createTransport, serveModern } from './mcp/transports.ts'
import {
  buildAuthorizationUrl,
  newState,
  newVerifier,
  pkceParameters,
  redirectUri,
} from './oauth/authorization-request.ts'
import { isAnswer, validateResponse, validateState } from './oauth/authorization-response.ts'
import { claimFlow } from './oauth/flows.ts'
import { discoverProvider } from './oauth/provider.ts'
import { exchangeCode, exchangeLogin, refreshTokens } from './oauth/token-requests.ts'
import { createCipher } from './tokens/cipher.ts'
import { recordOf } from './tokens/token-vault.ts'
import { isExpired } from './tokens/tokens.ts'
import { fetchItems } from './upstream/list-items.ts'
import { nextStep } from './upstream/next-step.ts'

export const defaultParts = {
  // who calls
  describeResource,
  bearerToken,
  verifyToken,
  isMeantFor,
  ownsSession,
  principalOf,
  // the call
  createTransport,
  createStdioTransport,
  serveModern,
  supportsUrlMode,
  attempt: (authorize: () => Promise<string>): Promise<string> => authorize(),
  askByRequest,
  describeItems,
  describeFailure,
  // the elicitation
  openElicitation,
  isPending,
  elicitationMessage,
  elicitationUrl,
  sendElicitation,
  refusalOf,
  interaction,
  notifyComplete,
  createStateCodec,
  isStateOf,
  // the browser
  connectUrl,
  createLogins,
  loggedIn,
  isSameUser,
  isSameBrowser,
  rememberBrowser,
  forgetBrowser,
  sendToProvider,
  safeReturn,
  renderPage,
  // the way to the provider
  discoverProvider,
  redirectUri,
  newState,
  newVerifier,
  pkceParameters,
  buildAuthorizationUrl,
  // the way back
  validateState,
  isAnswer,
  claimFlow,
  validateResponse,
  exchangeCode,
  exchangeLogin,
  // tokens
  createCipher,
  recordOf,
  isExpired,
  refreshTokens,
  // the API
  fetchItems,
  nextStep,
  // surroundings
  now: () => Date.now(),
  log,
}

export type Parts = Readonly<typeof defaultParts>
