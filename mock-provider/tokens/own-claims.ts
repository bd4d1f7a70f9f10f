/** Claims that the provider's owner puts into tokens: by rules, which are data, and by a function. */
import { findUser } from '../authorization/users.ts'
import { claimsOf, type Claims } from '../openid/claims.ts'
import type { ProviderState } from '../provider/state.ts'
import type { ClaimRule, TokenDraft } from './token-draft.ts'

/** The claims that are added to a token, in the order: rules, then the function. */
export async function ownClaims(
  state: ProviderState,
  draft: Omit<TokenDraft, 'user'>,
): Promise<Claims> {
  const { tokenClaims, onToken } = state.settings
  if (tokenClaims.length === 0 && !onToken) return {}
  const complete = { ...draft, user: await findUser(state, draft.subject) }
  const added = Object.assign(
    {},
    ...tokenClaims
      .filter((rule) => applies(rule, complete))
      .map(({ claims }) => fill(claims, valuesOf(complete))),
  )
  const claims = { ...draft.claims, ...added }
  return { ...added, ...(await onToken?.({ ...complete, claims })) }
}

function applies(rule: ClaimRule, draft: TokenDraft): boolean {
  return (
    (rule.token ?? draft.kind) === draft.kind &&
    (rule.clientId ?? draft.clientId) === draft.clientId &&
    (rule.subject ?? draft.subject) === draft.subject &&
    (rule.scope === undefined || draft.scopes.includes(rule.scope))
  )
}

function valuesOf({ subject, clientId, scopes, user }: TokenDraft): Claims {
  return { subject, clientId, scope: scopes.join(' '), user: claimsOf(user) }
}

/** A text that is nothing but a placeholder becomes its value, whatever that is; others are text. */
function fill(template: unknown, values: Claims): unknown {
  if (typeof template === 'string') {
    const [whole, path] = /^\$\{([^}]*)\}$/.exec(template) ?? []
    if (whole !== undefined) return valueAt(values, path)
    return template.replaceAll(/\$\{([^}]*)\}/g, (_, path: string) => textOf(valueAt(values, path)))
  }
  if (Array.isArray(template)) return template.map((each: unknown) => fill(each, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value, values)]),
  )
}

function valueAt(values: Claims, path = ''): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return Object.entries(value).find(([each]) => each === name)?.[1]
  }, values)
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
