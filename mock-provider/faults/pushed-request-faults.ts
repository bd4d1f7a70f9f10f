/** Faults of the pushed authorization request endpoint. No authorization exists yet, so nobody can be told apart. */
import { text } from '../http/reply.ts'
import type { FaultTable } from './fault.ts'

export const pushedRequestFaults = {
  'par-error-500': {
    endpoint: 'par',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'par-hang': {
    endpoint: 'par',
    description: 'holds the request back until it is released',
    hold: true,
  },
} as const satisfies FaultTable
