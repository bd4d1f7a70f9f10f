/** Defects: what the client declares, and what it takes although it has not declared it. */

import { setTimeout as delay } from 'node:timers/promises'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { altering, asFields, declaring, isRetry, withParams, type Fields } from '../alter.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'

const urlMode = { elicitation: { url: {} } }
const bothModes = { elicitation: { url: {}, form: {} } }

export const declaringDefects: readonly Defect[] = [
  {
    id: 'mode-misnamed',
    description: 'URL mode is declared under a name that there is not',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) => declaring(message, { elicitation: { urls: {} } }),
      }),
  },
  {
    id: 'mode-missing-in-retries',
    description: 'requests that answer what was asked declare nothing',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) => (isRetry(message) ? declaring(message, {}) : message),
      }),
  },
  {
    id: 'envelope-missing-in-retries',
    description: 'requests that answer what was asked have nothing of the envelope',
    parts: (defaults) =>
      altering(defaults, {
        outgoing: (message) =>
          isRetry(message)
            ? withParams(message, ({ _meta: _envelope, ...params }) => params)
            : message,
      }),
  },
  {
    id: 'undeclared-form-declined',
    description: 'a form, which was not declared, is declined rather than refused',
    parts: (defaults) => ({
      capabilities: () => bothModes,
      ...altering(defaults, { outgoing: (message) => declaring(message, urlMode) }),
      urlRequestOf(params) {
        if (params['mode'] !== 'form') return defaults.urlRequestOf(params)
        if ('url' in params)
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'only URL mode is supported')
        return { url: '', message: '' }
      },
      consent: (server, request, ...rest) =>
        request.url === ''
          ? Promise.resolve('decline')
          : defaults.consent(server, request, ...rest),
    }),
  },
  {
    id: 'undeclared-form-is-fatal',
    description: 'a form, which was not declared, ends the client',
    parts: (defaults) =>
      altering(defaults, {
        incoming: (message) =>
          asFields(message['params'])['mode'] === 'form' ? process.exit(1) : message,
      }),
  },
  {
    id: 'undeclared-form-unanswered',
    description: 'a form, which was not declared, is never answered',
    parts: (defaults) =>
      altering(defaults, {
        incoming: (message) =>
          asFields(message['params'])['mode'] === 'form'
            ? {
                jsonrpc: '2.0',
                method: 'notifications/message',
                params: { level: 'debug', data: '' },
              }
            : message,
      }),
  },
  {
    id: 'url-without-mode-opened',
    description: 'whatever has a URL is taken for a request in URL mode',
    parts: takingUrls,
  },
  {
    id: 'url-without-mode-opened-late',
    description: 'whatever has a URL is taken for a request in URL mode, and browsers start slowly',
    parts: (defaults) => ({
      ...takingUrls(defaults),
      openUrl: (url) => delay(2_000).then(() => defaults.openUrl(url)),
    }),
  },
]

/** Whatever has a URL is in URL mode. */
function takingUrls(defaults: Parts): Partial<Parts> {
  const inUrlMode = (request: Fields): Fields =>
    request['method'] === 'elicitation/create' && 'url' in asFields(request['params'])
      ? withParams(request, (params) => ({ ...params, mode: 'url' }))
      : request
  return altering(defaults, {
    incoming(message) {
      const { inputRequests, ...result } = asFields(message['result'])
      if (inputRequests === undefined) return inUrlMode(message)
      const requests = Object.entries(asFields(inputRequests)).map(
        ([key, request]) => [key, inUrlMode(asFields(request))] as const,
      )
      return { ...message, result: { ...result, inputRequests: Object.fromEntries(requests) } }
    },
  })
}
