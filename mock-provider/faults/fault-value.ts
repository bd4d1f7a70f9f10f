/** Which faults take a value, and what it has to be. */
import type { FaultId } from './index.ts'

/** Those that take one; any text, unless it is a number. */
export const faultValues: Readonly<Partial<Record<FaultId, 'text' | 'number' | 'seconds'>>> = {
  'authorize-error-markup': 'text',
  'authorize-state-swapped': 'text',
  'authorize-iss-wrong': 'text',
  'authorize-code-other-client': 'text',
  'authorize-code-other-user': 'text',
  'token-error-markup': 'text',
  'token-redirect': 'text',
  'token-numeric-access-token': 'number',
  'token-expires-in-too-long': 'seconds',
  'refresh-grace-window': 'seconds',
  'resource-error-insufficient_scope': 'text',
  'resource-redirect': 'text',
  'discovery-authorization-endpoint-of-another': 'text',
  'discovery-token-endpoint-of-another': 'text',
  'discovery-at-one-place': 'text',
  'discovery-redirect': 'text',
  'discovery-issuer-wrong': 'text',
  'token-id-token-issuer-wrong': 'text',
  'token-id-token-audience-wrong': 'text',
  'register-allow-list': 'text',
  'register-expiring-secret': 'seconds',
  'register-other-redirect-uris': 'text',
}

/** Says what is wrong with the value that a fault is switched on with, if anything. */
export function valueProblem(fault: FaultId, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const kind = faultValues[fault]
  if (kind === undefined) return `${fault} takes no value`
  const isNumber = /^\d+(\.\d+)?$/.test(value)
  if (kind === 'text' || isNumber) return undefined
  return `${fault} takes a number${kind === 'seconds' ? ' of seconds' : ''}`
}
