/** Faults of the issuer's metadata. They concern every client, so they are switched for the issuer. */
import { text } from '../reply.ts'
import type { FaultTable } from './fault.ts'

export const discoveryFaults = {
  'discovery-http-authorization-endpoint': {
    endpoint: 'discovery',
    description: 'advertises an authorization endpoint without TLS',
    section: 'RFC 6749 §3.1',
    alter: (reply) => ({
      ...reply,
      json: {
        ...reply.json,
        authorization_endpoint: String(reply.json?.['authorization_endpoint']).replace(
          /^https:/,
          'http:',
        ),
      },
    }),
  },
  'discovery-hang': {
    endpoint: 'discovery',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'discovery-error-500': {
    endpoint: 'discovery',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'discovery-issuer-wrong': {
    endpoint: 'discovery',
    description: 'names another issuer than the one it was fetched for (value: that issuer)',
    section: 'RFC 8414 §3.3',
    alter: (reply, { value }) => ({
      ...reply,
      json: { ...reply.json, issuer: value ?? 'https://another-issuer.example' },
    }),
  },
} as const satisfies FaultTable
