/** Notion. */
import { json } from '../http/reply.ts'
import type { Preset } from './deviation.ts'
import { tokenMembers, understandJson } from './rewrite.ts'

const reference = 'https://developers.notion.com/reference/create-a-token'

export const notion: Preset = {
  title: 'Notion',
  deviations: {
    'notion-json-request': {
      description: 'takes a JSON body at the token endpoint, with the client in the header',
      source: reference,
      verified: true,
      at: 'token',
      paths: ['/v1/oauth/token'],
      understand: understandJson,
    },
    'notion-authorize-path': {
      description: 'has its authorization endpoint at /v1/oauth/authorize',
      source:
        'https://developers.notion.com/guides/get-started/authorization; arctic 3, src/providers/notion.ts',
      verified: true,
      at: 'authorize',
      paths: ['/v1/oauth/authorize'],
    },
    'notion-introspection': {
      description: 'introspects at /v1/oauth/introspect, by JSON',
      source:
        'https://developers.notion.com/reference/introspect-token; @notionhq/client 5, oauth.introspect',
      verified: true,
      at: 'introspect',
      paths: ['/v1/oauth/introspect'],
      understand: understandJson,
    },
    'notion-revocation': {
      description: 'revokes at /v1/oauth/revoke, by JSON, and answers in JSON',
      source:
        'https://developers.notion.com/reference/revoke-token; @notionhq/client 5, oauth.revoke',
      verified: true,
      at: 'revoke',
      paths: ['/v1/oauth/revoke'],
      understand: understandJson,
      answer: (reply, { url }) =>
        reply.status === 200 && url.pathname === '/v1/oauth/revoke'
          ? json({ request_id: 'a-request' })
          : reply,
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
