/** Linear. */
import { splitScope } from '../authorization/scopes.ts'
import type { Parameters } from '../http/parameters.ts'
import type { DeviationSituation, Preset, Understood } from './deviation.ts'
import { replaceParameter, understandCommas } from './rewrite.ts'

const authentication = 'https://linear.app/developers/oauth-2-0-authentication'

const withRead = (parameters: Parameters) => {
  const scopes = splitScope(parameters.get('scope'))
  return replaceParameter(parameters, 'scope', [...new Set(['read', ...scopes])].join(' '))
}

function addRead({ method, query, form }: DeviationSituation): Understood | undefined {
  const parameters = method === 'GET' ? query : form
  if (splitScope(parameters.get('scope')).includes('read')) return undefined
  return method === 'GET' ? { query: withRead(query) } : { form: withRead(form) }
}

export const linear: Preset = {
  title: 'Linear',
  deviations: {
    'linear-comma-separated-request': {
      description: 'takes a scope whose tokens are separated by commas',
      source: authentication,
      verified: true,
      at: 'authorize',
      understand: understandCommas,
    },
    'linear-authorize-path': {
      description: 'has its authorization endpoint at /oauth/authorize',
      source: `${authentication}; arctic 3, src/providers/linear.ts`,
      verified: true,
      at: 'authorize',
      paths: ['/oauth/authorize'],
    },
    'linear-token-path': {
      description: 'has its token endpoint at /oauth/token',
      source: `${authentication}; arctic 3, src/providers/linear.ts`,
      verified: true,
      at: 'token',
      paths: ['/oauth/token'],
    },
    'linear-read-always-added': {
      description: 'grants read whether it was requested or not',
      source: authentication,
      verified: true,
      at: 'authorize',
      understand: addRead,
      options: { scopes: ['read', 'write', 'issues:create', 'comments:create'] },
    },
    'linear-day-long-tokens': {
      description: 'issues access tokens for 24 hours',
      source: authentication,
      verified: true,
      options: { lifetimes: { accessToken: 86_399 } },
    },
    'linear-pkce-optional': {
      description: 'does not demand PKCE',
      source: authentication,
      verified: false,
      options: { pkce: 'optional' },
    },
  },
}
