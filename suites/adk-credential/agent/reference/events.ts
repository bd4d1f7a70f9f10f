/** The events of ADK's API: what the agent says, calls, gets and asks for, in both dialects. */

import { randomUUID } from 'node:crypto'
import type { Config } from './environment.ts'
import type { Flow } from './oauth.ts'
import type { ToolCall } from './session.ts'
import type { Fields, Tool } from './tools.ts'

export const requestName = 'adk_request_credential'

/** New for every call and every request. */
export function newId(): string {
  return `adk-${randomUUID()}`
}

/** An event without what all have. */
export interface Said {
  readonly role: 'user' | 'model' | 'tool'
  readonly parts: readonly Fields[]
  readonly longRunningToolIds?: readonly string[]
  readonly requestedAuthConfigs?: Fields
  readonly partial?: true
}

export function eventOf(invocationId: string, author: string, said: Said): Fields {
  const { role, parts, longRunningToolIds = [], requestedAuthConfigs = {}, partial } = said
  return {
    id: randomUUID(),
    invocationId,
    author,
    timestamp: Date.now() / 1000,
    content: { role, parts },
    ...(partial ? { partial } : {}),
    longRunningToolIds,
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs },
  }
}

export function callsSaid(text: string, calls: readonly ToolCall[]): Said {
  const spoken = text === '' ? [] : [{ text }]
  return { role: 'model', parts: [...spoken, ...calls.map((functionCall) => ({ functionCall }))] }
}

export function resultsSaid(results: readonly { call: ToolCall; response: Fields }[]): Said {
  const parts = results.map(({ call: { id, name }, response }) => ({
    functionResponse: { id, name, response },
  }))
  return { role: 'user', parts }
}

/** What a credential is asked for: the AuthConfig as the client application gets it, without the client secret. */
export function authConfigOf(
  config: Config,
  tool: Tool,
  asked?: { readonly flow: Flow; readonly authUri: string },
): Fields {
  const { key = '', scopes = [] } = tool.credential ?? {}
  const { oauth } = config
  const named = Object.fromEntries(scopes.map((scope) => [scope, scope]))
  if (config.dialect === 'response') {
    const flow = {
      authorization_url: oauth.authorizationEndpoint,
      token_url: oauth.tokenEndpoint,
      scopes: named,
    }
    const client = { client_id: oauth.clientId, redirect_uri: oauth.redirectUri ?? '', scopes }
    return {
      auth_scheme: { scheme_type: 'o_auth2', flows: { authorization_code: flow } },
      raw_auth_credential: { auth_type: 'o_auth2', oauth2: client },
      credential_key: key,
    }
  }
  const flow = {
    authorizationUrl: oauth.authorizationEndpoint,
    tokenUrl: oauth.tokenEndpoint,
    scopes: named,
  }
  const client = { clientId: oauth.clientId }
  return {
    authScheme: { type: 'oauth2', flows: { authorizationCode: flow } },
    rawAuthCredential: { authType: 'oauth2', oauth2: client },
    exchangedAuthCredential: {
      authType: 'oauth2',
      oauth2: {
        ...client,
        authUri: asked?.authUri,
        state: asked?.flow.state,
        ...(asked?.flow.redirectUri === undefined ? {} : { redirectUri: asked.flow.redirectUri }),
      },
    },
    credentialKey: key,
  }
}

/** The credential request: a call of its own that names the paused one, or a response with the id of that. */
export function requestSaid(
  id: string,
  call: ToolCall,
  authConfig: Fields,
  dialect: Config['dialect'],
): Said {
  const longRunningToolIds = [id]
  if (dialect === 'response') {
    const functionResponse = { id, name: requestName, willContinue: true, response: authConfig }
    return { role: 'tool', parts: [{ functionResponse }], longRunningToolIds }
  }
  const args = { functionCallId: call.id, authConfig }
  return {
    role: 'user',
    parts: [{ functionCall: { id, name: requestName, args } }],
    longRunningToolIds,
  }
}
