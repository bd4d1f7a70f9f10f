/** Small ways of answering and asking differently that several providers share. */
import type { Exchange } from '../exchange.ts'
import { parseParameters, type Parameters } from '../parameters.ts'
import { text, type Reply } from '../reply.ts'
import type { ProviderState } from '../state.ts'
import type { Understood } from './deviation.ts'

type Members = Readonly<Record<string, unknown>>

/** Tells whether a reply brings tokens. */
export function bringsTokens({ json }: Reply): boolean {
  return typeof json?.['access_token'] === 'string'
}

/** Changes the members of a reply that brings tokens; an undefined one is left out. */
export function tokenMembers(
  change: (members: Members, exchange: Exchange, state: ProviderState) => Members,
) {
  return (reply: Reply, exchange: Exchange, state: ProviderState): Reply =>
    bringsTokens(reply)
      ? { ...reply, json: { ...reply.json, ...change(reply.json ?? {}, exchange, state) } }
      : reply
}

/** The scope with commas between its tokens. */
export const commaSeparatedScope = tokenMembers(({ scope }) => ({
  scope: String(scope).replaceAll(' ', ','),
}))

/** Reads a scope whose tokens are separated by commas. */
export function understandCommas({ query, form }: Exchange): Understood | undefined {
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
  const changed = new URLSearchParams()
  for (const [each, one] of parameters.pairs) if (each !== name) changed.append(each, one)
  changed.append(name, value)
  return parseParameters(changed.toString())
}

/** The members of a reply, form-encoded. */
export function formEncoded(reply: Reply): Reply {
  const members = Object.entries(reply.json ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  const body = new URLSearchParams(members).toString()
  return text(body, 'application/x-www-form-urlencoded; charset=utf-8', reply.status)
}
