/** Figma, its MCP server. */
import { presentedClient } from '../clients/presented-client.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { text } from '../http/reply.ts'
import type { DeviationSituation, Preset, Understood } from './deviation.ts'

const registration = 'https://github.com/anthropics/claude-code/issues/74768'
const secret = 'https://github.com/NousResearch/hermes-agent/pull/73141'

/** Those of its list that are known. */
const allowed: readonly unknown[] = ['Claude Code', 'Codex']

function metadataIn({ body }: DeviationSituation): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A client that registers without a secret gets one all the same. */
function giveSecret(situation: DeviationSituation): Understood | undefined {
  const metadata = metadataIn(situation)
  if (metadata['token_endpoint_auth_method'] !== 'none') return undefined
  const given = { ...metadata, token_endpoint_auth_method: 'client_secret_post' }
  return { body: JSON.stringify(given) }
}

export const figma: Preset = {
  title: 'Figma',
  deviations: {
    'figma-registration-allow-list': {
      description: 'lets clients with certain names register; others get 403 in plain text',
      source: registration,
      verified: true,
      at: 'register',
      refuse: (situation) =>
        situation.method !== 'POST' || allowed.includes(metadataIn(situation)['client_name'])
          ? undefined
          : text('Forbidden', 'text/plain', 403),
    },
    'figma-registered-with-200': {
      description: 'answers a registration with status 200',
      source: registration,
      verified: true,
      at: 'register',
      answer: (reply) => (reply.status === 201 ? { ...reply, status: 200 } : reply),
    },
    'figma-secret-under-none': {
      description: 'returns a secret to a client that registered with the method none',
      source: secret,
      verified: true,
      at: 'register',
      understand: giveSecret,
      answer: (reply, { sent }) =>
        reply.json?.['client_secret'] === undefined || !sent.includes('"none"')
          ? reply
          : { ...reply, json: { ...reply.json, token_endpoint_auth_method: 'none' } },
    },
    'figma-demands-secret': {
      description: 'then demands that secret at the token endpoint',
      source: secret,
      verified: true,
      at: 'token',
      refuse: ({ headers, form }) =>
        presentedClient(headers, form).method === 'none'
          ? new OAuthError('invalid_request', 'Client secret is required')
          : undefined,
    },
  },
}
