/** The one place where a decision is made: by the page's form, or by a program with JSON. */
import { z } from 'zod'
import { decide, type Decision } from '../authorization/decide.ts'
import { splitScope } from '../authorization/scopes.ts'
import { valueProblem } from '../faults/fault-value.ts'
import { isAnonymous } from '../faults/fault.ts'
import { faults, isFaultId, type FaultId } from '../faults/index.ts'
import type { Endpoint, Exchange } from '../http/exchange.ts'
import { hasMediaType, parseJson } from '../http/json-body.ts'
import { OAuthError } from '../http/oauth-error.ts'
import { refuseDuplicates } from '../http/parameters.ts'
import { exactly, problemsOf } from '../http/problems.ts'
import { subjectSchema } from '../provider/input-schemas.ts'
import type { ProviderState } from '../provider/state.ts'

/** Faults that concern every client cannot be switched by a decision. */
const faultId = z.custom<FaultId>(
  (id) => typeof id === 'string' && isFaultId(id) && !isAnonymous(faults[id]),
  'not a fault of an authorization',
)

const decision = exactly({
  action: z.enum(['approve', 'deny', 'error']),
  /** RFC 6749 §4.1.2.1: printable ASCII without `"` and `\`. */
  error: z
    .string()
    .regex(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
    .optional(),
  error_description: z.string().max(2000).optional(),
  subject: subjectSchema.optional(),
  scopes: z.array(z.string()).min(1).optional(),
  faults: z
    .array(
      z.union([
        faultId,
        exactly({
          fault: faultId,
          times: z.int().positive().optional(),
          value: z.string().max(2000).optional(),
        }).refine(({ fault, value }) => !valueProblem(fault, value), 'not a value of this fault'),
      ]),
    )
    .optional(),
  access_token_lifetimes: z.array(z.int().nonnegative()).min(1).optional(),
}) satisfies z.ZodType<Decision>

/**
 * `POST /authorize/{id}/decision`: answers 303 to the client's redirect URI. 404 for an unknown
 * authorization, 409 for one that is decided, 400 for a decision that makes no sense.
 */
export function decisionEndpoint(state: ProviderState): Endpoint {
  return {
    name: 'decision',
    methods: ['POST'],
    path: '/authorize/:id/decision',
    attribute: (exchange) => state.authorizations.get(exchange.segment('id')),
    handle(exchange) {
      const { authorization } = exchange
      if (!authorization) {
        throw new OAuthError('not_found', 'there is no such authorization', { status: 404 })
      }
      const taken = readDecision(exchange)
      if (taken.scopes?.some((scope) => !authorization.scopes.includes(scope))) {
        throw new OAuthError('invalid_scope', 'more scopes are granted than were requested')
      }
      if (authorization.decided) {
        throw new OAuthError('conflict', 'the authorization is already decided', { status: 409 })
      }
      return decide(state, exchange, authorization, taken)
    },
  }
}

function readDecision({ headers, body, form }: Exchange): Decision {
  if (!hasMediaType(headers, 'application/x-www-form-urlencoded')) {
    return parseJson(decision, headers, body)
  }
  // each checkbox of the page has the same name
  refuseDuplicates(form, ['scopes', 'faults'])
  const list = (name: string) => {
    const values = form.all(name)
    return values.length === 0 ? undefined : splitScope(values.join(' '))
  }
  const result = decision.safeParse({
    ...Object.fromEntries(form.entries),
    scopes: list('scopes'),
    faults: list('faults'),
    access_token_lifetimes: list('access_token_lifetimes')?.map(Number),
  })
  if (!result.success) throw new OAuthError('invalid_request', problemsOf(result.error).join('; '))
  // a person who unticked every scope has denied
  const nothing = form.has('scopes') && list('scopes') === undefined
  return nothing && result.data.action === 'approve'
    ? { ...result.data, action: 'deny' }
    : result.data
}
