/** The steps of this server as plain functions; `createItemsServer` takes others in their place. */

import {
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server'

import { bearerToken, isMeantFor, ownsSession, verifyToken } from './access.ts'
import { fetchItems } from './api.ts'
import { callbackIn, canAsk, describeRequest, sendAuthRequest } from './ask-client.ts'
import type { Call } from './call.ts'
import { describeFailure, describeItems } from './describe-result.ts'
import { log } from './log.ts'
import {
  authorizationUrl,
  exchangeCode,
  isExpired,
  newState,
  newVerifier,
  pkceParameters,
  readCallback,
  refresh,
  type Credential,
  type Flow,
} from './oauth.ts'
import { discoverProvider } from './provider.ts'
import { recordOf } from './record-name.ts'
import { redirectOptions, selectedRedirect } from './redirects.ts'
import { createCipher } from './sealed-files.ts'

export const defaultParts = {
  // who calls
  bearerToken,
  verifyToken,
  isMeantFor,
  ownsSession,
  createTransport: (options: WebStandardStreamableHTTPServerTransportOptions) =>
    new WebStandardStreamableHTTPServerTransport(options),
  // asking
  canAsk,
  attempt: (authorize: () => Promise<Credential>, _call: Call): Promise<Credential> => authorize(),
  newFlow: (): Flow => ({ state: newState(), verifier: newVerifier() }),
  pkceParameters,
  discoverProvider,
  authorizationUrl,
  redirectOptions,
  describeRequest,
  sendAuthRequest,
  // the callback
  callbackIn,
  selectedRedirect,
  flowOf: (asked: Flow, _query: URLSearchParams): Flow => asked,
  readCallback,
  exchangeCode,
  // credentials
  createCipher,
  recordOf,
  isExpired,
  refresh,
  // the call
  openPage: (_request: Request): Response => new Response(null, { status: 404 }),
  fetchItems,
  describeItems,
  describeFailure,
  log,
}

export type Parts = Readonly<typeof defaultParts>
