/** Notion. */
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
