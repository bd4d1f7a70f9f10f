/** Small ways of answering and asking differently that several providers share. */
import { hasMediaType } from '../http/json-body.ts'
import { parseParameters, type Parameters } from '../http/parameters.ts'
import { text, type Reply } from '../http/reply.ts'
import type { DeviationSituation, Understood } from './deviation.ts'

type Members = Readonly<Record<string, unknown>>

/** Tells whether a reply brings tokens. */
function bringsTokens({ json }: Reply): boolean {
  return typeof json?.['access_token'] === 'string'
}

/** Changes the members of a reply that brings tokens; an undefined one is left out. */
export function tokenMembers(change: (members: Members, situation: DeviationSituation) => Members) {
  return (reply: Reply, situation: DeviationSituation): Reply =>
    bringsTokens(reply)
      ? { ...reply, json: { ...reply.json, ...change(reply.json ?? {}, situation) } }
      : reply
}

/** The scope with commas between its tokens. */
export const commaSeparatedScope = tokenMembers(({ scope }) => ({
  scope: String(scope).replaceAll(' ', ','),
}))

/** Reads a scope whose tokens are separated by commas. */
export function understandCommas({ query, form }: DeviationSituation): Understood | undefined {
  const [inQuery, inForm] = [query, form].map((each) => withoutCommas(each))
  if (!inQuery && !inForm) return undefined
  return { query: inQuery ?? query, form: inForm ?? form }
}

function withoutCommas(parameters: Parameters): Parameters | undefined {
  const scope = parameters.get('scope')
  if (!scope?.includes(',')) return undefined
  return replaceParameter(parameters, 'scope', scope.replaceAll(/,\s*/g, ' '))
}

/** The same parameters with this value in place of any by that name. */
export function replaceParameter(parameters: Parameters, name: string, value: string): Parameters {
  const changed = without(parameters, name)
  changed.append(name, value)
  return parseParameters(changed.toString())
}

/** Does as if the parameter `resource` (RFC 8707 §2) had not been sent; what is logged is what was. */
export function ignoreResource({ query, form }: DeviationSituation): Understood | undefined {
  if ([query, form].every((each) => each.get('resource') === undefined)) return undefined
  const [inQuery, inForm] = [query, form].map((each) => ({
    ...parseParameters(without(each, 'resource').toString()),
    sent: each,
  }))
  return { query: inQuery!, form: inForm! }
}

function without(parameters: Parameters, name: string): URLSearchParams {
  const kept = new URLSearchParams()
  for (const [each, value] of parameters.pairs) if (each !== name) kept.append(each, value)
  return kept
}

/** The members of a reply, form-encoded. */
export function formEncoded(reply: Reply): Reply {
  const members = Object.entries(reply.json ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  const body = new URLSearchParams(members).toString()
  return text(body, 'application/x-www-form-urlencoded; charset=utf-8', reply.status)
}

/** The string members of a JSON body, as the form that they stand for. */
export function understandJson({ headers, body }: DeviationSituation): Understood | undefined {
  if (!hasMediaType(headers, 'application/json')) return undefined
  const members = objectIn(body).filter((each): each is [string, string] => {
    return typeof each[1] === 'string'
  })
  const form = new URLSearchParams(members).toString()
  const understood = new Headers(headers)
  understood.set('content-type', 'application/x-www-form-urlencoded')
  return { headers: understood, body: form, form: parseParameters(form) }
}

/** A POST whose parameters are in its query, as the form that they should be. */
export function understandQuery({
  method,
  query,
  headers,
}: DeviationSituation): Understood | undefined {
  if (method !== 'POST' || query.pairs.length === 0) return undefined
  const understood = new Headers(headers)
  understood.set('content-type', 'application/x-www-form-urlencoded')
  return { headers: understood, form: query, search: '' }
}

/** An authorization request whose response type goes without saying. */
export function understandCode(situation: DeviationSituation): Understood | undefined {
  const { method, query } = situation
  if (method !== 'GET' || query.get('response_type') !== undefined) return undefined
  return { query: replaceParameter(query, 'response_type', 'code') }
}

/** A token request with a code, which does not say what it is. */
export function understandCodeGrant(form: Parameters): Parameters {
  if (form.get('grant_type') !== undefined || form.get('code') === undefined) return form
  return replaceParameter(form, 'grant_type', 'authorization_code')
}

function objectIn(body: string): readonly [string, unknown][] {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? Object.entries(value) : []
  } catch {
    return []
  }
}
