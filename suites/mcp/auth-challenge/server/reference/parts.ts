/** The steps of this server as plain functions; `createNotesServer` takes others in their place. */

import {
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'

import { bearerToken, missingScopes, type Access } from './access.ts'
import { challengeParameters, challengeResult, formatChallenge } from './challenge.ts'
import { describeResource, metadataPath, publicUrlOf, serveMetadata } from './metadata.ts'
import { listNotes } from './notes.ts'
import { accessOf, discoverIssuer, introspect, readClaims, verifyJwt } from './verify-token.ts'

export const defaultParts = {
  // who calls
  bearerToken: (request: Request, _connection?: object): string | undefined => bearerToken(request),
  discoverIssuer,
  verifyJwt,
  introspect,
  readClaims,
  accessOf,
  missingScopes,
  // how they are told
  publicUrlOf,
  metadataPath,
  describeResource,
  serveMetadata,
  challengeParameters,
  formatChallenge,
  challengeResult,
  // what they are told by HTTP instead, before MCP
  answerByHttp: (_access: Access, _challenge: string, _request: Request): Response | undefined =>
    undefined,
  // the protocol
  newSessionId: (): (() => string) | undefined => randomUUID,
  createTransport: (options: WebStandardStreamableHTTPServerTransportOptions) =>
    new WebStandardStreamableHTTPServerTransport(options),
  answerModern: (response: Response, _request: Request): Promise<Response> | Response => response,
  // the tool
  listNotes,
  log: (line: string): void => void process.stdout.write(`notes-server: ${line}\n`),
}

export type Parts = Readonly<typeof defaultParts>
