/** Faults of the introspection endpoint. */
import { text } from '../http/reply.ts'
import type { FaultTable } from './fault.ts'

export const introspectionFaults = {
  'introspect-error-500': {
    endpoint: 'introspect',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
} as const satisfies FaultTable
