/** Notion. */
import { hasMediaType } from '../json-body.ts'
import { parseParameters } from '../parameters.ts'
import type { Exchange } from '../exchange.ts'
import type { Profile, Understood } from './deviation.ts'
import { tokenMembers } from './rewrite.ts'

const reference = 'https://developers.notion.com/reference/create-a-token'

/** The string members of a JSON body, as the form that they stand for. */
function understandJson({ headers, body }: Exchange): Understood | undefined {
  if (!hasMediaType(headers, 'application/json')) return undefined
  const members = objectIn(body).filter((each): each is [string, string] => {
    return typeof each[1] === 'string'
  })
  const form = new URLSearchParams(members).toString()
  const understood = new Headers(headers)
  understood.set('content-type', 'application/x-www-form-urlencoded')
  return { headers: understood, body: form, form: parseParameters(form) }
}

function objectIn(body: string): readonly [string, unknown][] {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? Object.entries(value) : []
  } catch {
    return []
  }
}

export const notion: Profile = {
  title: 'Notion',
  deviations: {
    'notion-json-request': {
      description: 'takes a JSON body at the token endpoint, with the client in the header',
      source: reference,
      verified: true,
      at: 'token',
      understand: understandJson,
    },
    'notion-token-members': {
      description: 'sends a refresh_token that may be null, and no expires_in',
      source: 'https://developers.notion.com/reference/refresh-a-token',
      verified: true,
      at: 'token',
      answer: tokenMembers(({ refresh_token }, { authorization }) => ({
        token_type: 'bearer',
        expires_in: undefined,
        scope: undefined,
        refresh_token: refresh_token ?? null,
        bot_id: authorization?.id,
        workspace_name: null,
        duplicated_template_id: null,
      })),
    },
    'notion-pkce-optional': {
      description: 'does not demand PKCE',
      source: 'https://developers.notion.com/guides/get-started/authorization',
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
