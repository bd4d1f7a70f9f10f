/** Faults of dynamic client registration. */
import { json, text } from '../http/reply.ts'
import type { FaultTable } from './fault.ts'

export const registrationFaults = {
  'register-forbidden': {
    endpoint: 'register',
    description: 'forbids registration with 403 in plain text, as Figma does',
    section: 'RFC 7591 §3.2.2',
    answer: () => text('Forbidden', 'text/plain', 403),
  },
  'register-allow-list': {
    endpoint: 'register',
    description: 'forbids registration to any client but one (value: its client_name)',
    section: 'RFC 7591 §3',
    answer: ({ value, body }) =>
      value !== undefined && body.includes(JSON.stringify(value))
        ? undefined
        : text('Forbidden', 'text/plain', 403),
  },
  'register-error-invalid_client_metadata': {
    endpoint: 'register',
    description: 'refuses the metadata with invalid_client_metadata',
    section: 'RFC 7591 §3.2.2',
    answer: () => json({ error: 'invalid_client_metadata' }, 400),
  },
  'register-error-500': {
    endpoint: 'register',
    description: 'fails with 500',
    section: 'RFC 9110 §15.6.1',
    answer: () => text('The mock provider was told to fail', 'text/plain', 500),
  },
  'register-hang': {
    endpoint: 'register',
    description: 'holds the request back until it is released',
    hold: true,
  },
  'register-secret-under-none': {
    endpoint: 'register',
    description: 'returns a secret to a public client, as Figma does',
    section: 'RFC 7591 §3.2.1',
    alter: (reply, { opaque }) => ({
      ...reply,
      json: { ...reply.json, client_secret: opaque('cs_'), client_secret_expires_at: 0 },
    }),
  },
  'register-expiring-secret': {
    endpoint: 'register',
    description:
      'gives a secret that expires, by the clock of the provider (value: seconds from now; default 60)',
    section: 'RFC 7591 §3.2.1',
    secretLifetime: 60,
  },
  'register-other-redirect-uris': {
    endpoint: 'register',
    description: 'registers other redirect URIs than requested (value: one of them)',
    section: 'RFC 7591 §3.2.1: the server may replace metadata',
    alter: (reply, { value }) => ({
      ...reply,
      json: { ...reply.json, redirect_uris: [value ?? 'https://another-client.example/callback'] },
    }),
  },
} as const satisfies FaultTable
