/** Requirements: what no outside observer can judge. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const excluded: readonly Requirement[] = [
  {
    id: 'rap-oauth/tool/exchange-securely',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'Codes are exchanged securely.',
    excluded:
      'Too general to judge as it stands; its observable parts are exchange-code, verify-provider-certificate, code-used-once, pkce-s256, validate-state and no-secrets-in-output.',
  },
  {
    id: 'rap-oauth/tool/oauth-message-optional',
    keyword: 'MAY',
    basis: 'specification',
    source: 'RAP OAuth',
    text: 'A tool that requires user authorization can start a flow by an oauth message instead of a result.',
    excluded: 'A permission; what is demanded once it is used is judged by send-oauth-message.',
  },
  {
    id: 'rap-oauth/tool/token-storage-is-specific',
    keyword: 'MAY',
    basis: 'specification',
    source: 'RAP OAuth, Token Management',
    text: 'How tokens are stored and refreshed is left to the tool.',
    excluded: 'A permission; nothing can break it.',
  },
]
