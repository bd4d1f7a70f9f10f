/** Oddities of the messages to a runtime, and of the answers to it. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { alterMessages, isResult, pause, withHead } from '../defects/alter.ts'
import type { Oddity } from './oddity.ts'

export const messageOddities: readonly Oddity[] = [
  {
    id: 'identifiers-restricted',
    description:
      'ids of more than 128 characters, and users whose ids have signs, are refused by an error',
    permitted: 'RAP Tool Invocation, Security Considerations: values outside acceptable ranges',
    touches: ['unusual-identifiers', 'similar-user-ids', 'numeric-user-ids'],
    parts: (defaults) => ({
      checkCall(invocation) {
        const call = defaults.checkCall(invocation)
        const isLong = [call.id, call.groupId, call.userId ?? ''].some(({ length }) => length > 128)
        if (isLong || !/^[\w-]*$/.test(call.userId ?? '')) throw new UnsupportedIdentifier()
        return call
      },
      describeError: (error) =>
        error instanceof UnsupportedIdentifier
          ? 'Error: this tool does not support such identifiers.'
          : defaults.describeError(error),
    }),
  },
  {
    id: 'acknowledged-with-nothing',
    description: 'the acknowledgement is 200 without any body',
    permitted: 'RAP Transport, Tool Invocation: the response body is not read by the runtime',
    touches: ['authorize-and-complete', 'discovery-held-back'],
    parts: () => ({
      acknowledge(http, work) {
        void work()
        return http.body(null, 200)
      },
    }),
  },
  {
    id: 'acknowledged-without-an-end',
    description:
      'the status that acknowledges an invocation comes at once, and its body does not end',
    permitted: 'RAP Transport, Tool Invocation: the response body is not read by the runtime',
    touches: ['authorize-and-complete', 'discovery-held-back'],
    parts: () => ({
      acknowledge(http, work) {
        void work()
        const endless = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('.')),
        })
        return http.body(endless, 200)
      },
    }),
  },
  {
    id: 'view-before-authorization',
    description: 'before it asks for authorization it updates its view',
    permitted:
      'RAP View Updates: a tool sends view_update to the callback_url whenever it wants to',
    touches: ['authorize-and-complete', 'callback-held-back'],
    parts: (defaults) => ({
      async deliver(delivery, means) {
        const { type, group_id } = delivery.message
        const message = { type: 'view_update', group_id, view_type: 'login', content: { step: 1 } }
        if (type === 'oauth') await defaults.deliver({ ...delivery, message }, means)
        return defaults.deliver(delivery, means)
      },
    }),
  },
  {
    id: 'toolset-with-nulls',
    description: 'what is optional in the discovery document is null',
    permitted: 'RAP Toolsets, Annotations: optional; docs/readings.md, 57',
    touches: ['manifest', 'authorize-and-complete'],
    parts: (defaults) => ({
      describeToolset(publicUrl, issuer) {
        const toolset = defaults.describeToolset(publicUrl, issuer)
        const bare = { inputSchema: { type: 'object' }, description: 'Says nothing.' }
        const others = [
          { ...bare, name: 'of_nobody', annotations: { requiresAuth: null, readOnly: true } },
          { ...bare, name: 'without', annotations: null },
        ]
        const tools = [...toolset.tools, ...others]
        return { ...toolset, description: null, tools } as unknown as typeof toolset
      },
    }),
  },
  {
    id: 'anonymous-refused-in-json',
    description: 'a call without user_id ends with an object that says so',
    permitted: 'RAP Tool Result, Result Content: no format is prescribed; docs/readings.md, 9',
    touches: ['callers-without-user-id'],
    parts: (defaults) => ({
      checkCall(invocation) {
        const call = defaults.checkCall(invocation)
        if (call.userId === null) throw new Nobody()
        return call
      },
      describeError: (error) =>
        error instanceof Nobody ? '{"error":"user_id is required"}' : defaults.describeError(error),
    }),
  },
  {
    id: 'results-as-content',
    description: 'a result has a list of content, and text beside it only where it is an error',
    permitted: 'RAP Tool Result, Fields and Error Handling: content, and errors in text',
    touches: ['authorize-and-complete', 'denied-consent'],
    parts: (defaults) =>
      alterMessages(defaults, ({ text, ...message }) =>
        isResult(message)
          ? {
              ...message,
              content: [{ type: 'text', text }],
              ...(String(text).startsWith('Error') ? { text } : {}),
            }
          : message,
      ),
  },
  {
    id: 'content-supersedes-text',
    description: 'beside the content of a result its text is always the same, but for errors',
    permitted: 'RAP Tool Result, Fields: when both are present, content supersedes text',
    touches: ['authorize-and-complete', 'api-fails-later', 'stored-token', 'denied-consent'],
    parts: (defaults) =>
      alterMessages(defaults, (message) =>
        isResult(message) && !String(message['text']).startsWith('Error')
          ? {
              ...message,
              text: 'See the content.',
              content: [{ type: 'text', text: message['text'] }],
            }
          : message,
      ),
  },
  {
    id: 'oauth-message-after-six-seconds',
    description: 'the oauth message takes six seconds',
    permitted: 'RAP Lifecycle, Timeouts: tools MAY take arbitrarily long',
    touches: ['authorize-and-complete', 'malformed-invocations', 'twenty-users-at-once'],
    parts: (defaults) => ({
      async deliver(delivery, means) {
        if (delivery.message['type'] === 'oauth') await pause(6000)
        return defaults.deliver(delivery, means)
      },
    }),
  },
  {
    id: 'chooses-before-asking',
    description: 'the user has to choose a workspace before they are asked to authorize',
    permitted: 'RAP User Choice, Flow; RAP Lifecycle, Callback Delivery: completion is deferred',
    touches: [
      'authorize-and-complete',
      'two-calls-of-one-turn',
      'callback-503-for-oauth',
      'cancellation-of-another-call',
      'denied-consent',
    ],
    parts(defaults) {
      const asked = new Map<string, () => void>()
      const server = createServer((request, response) => {
        asked.get(request.url ?? '')?.()
        response.end()
      })
      const listening = once(server.listen(0, '127.0.0.1').unref(), 'listening')
      return {
        async deliver(delivery, means) {
          const { url, message } = delivery
          if (isResult(message)) return defaults.deliver(delivery, means)
          await listening
          const path = `/${crypto.randomUUID()}`
          const chosen = new Promise<void>((resolve) => asked.set(path, resolve))
          const { auth_url: _authUrl, ...ids } = message
          const { port } = server.address() as AddressInfo
          const question = {
            ...ids,
            type: 'user_choice',
            prompt: 'Which workspace?',
            choices: ['Home', 'Work'],
            default: 1,
            response_url: `http://127.0.0.1:${port}${path}`,
          }
          await defaults.deliver({ url, message: question }, means)
          await Promise.race([chosen, aborted(means.signal)])
          return defaults.deliver(delivery, means)
        },
      }
    },
  },
  {
    id: 'page-with-a-style',
    description:
      'the page has a style sheet of its host, drawings and images in it, and a link away',
    permitted: 'RFC 9700 §4.2.4: only resources of third parties are to be avoided',
    touches: ['authorize-and-complete', 'denied-consent', 'markup-in-callback'],
    parts: (defaults) => ({
      async renderPage(http, page) {
        const styled = await withHead(
          await defaults.renderPage(http, page),
          `<link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,">
          <style>body { background: url(/paper.png) }</style>`,
        )
        const body = `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9"/></svg>
          <img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
          <a href="https://agent.example/">Back to your assistant</a>`
        return new Response((await styled.text()).replace('</body>', `${body}</body>`), styled)
      },
    }),
  },
  {
    id: 'page-after-seven-seconds',
    description: 'the browser waits seven seconds for its page',
    permitted: 'RAP OAuth, Flow: nothing is said of the page',
    touches: ['authorize-and-complete', 'denied-consent', 'state-missing'],
    parts: (defaults) => ({
      async renderPage(http, page) {
        await pause(7000)
        return defaults.renderPage(http, page)
      },
    }),
  },
  {
    id: 'messages-with-more-fields',
    description: 'every message has fields that RAP does not name',
    permitted:
      'RAP Tool Result and OAuth Message, Fields: what is listed is required, nothing more is forbidden',
    touches: ['authorize-and-complete', 'denied-consent', 'stored-token'],
    parts: (defaults) =>
      alterMessages(defaults, (message) => ({ ...message, version: 2, trace: { span: 'a' } })),
  },
  {
    id: 'results-to-be-displayed',
    description: 'a result says beside its text how it is displayed to people',
    permitted: 'RAP Tool Result, Fields: display_as',
    touches: ['authorize-and-complete', 'denied-consent', 'stored-token'],
    parts: (defaults) =>
      alterMessages(defaults, (message) =>
        isResult(message)
          ? { ...message, display_as: [{ type: 'text', content: 'done' }] }
          : message,
      ),
  },
  {
    id: 'messages-with-escapes',
    description: 'letters are escaped in the JSON of every message, also in its type',
    permitted: 'RFC 8259 §7: any character may be escaped',
    touches: ['callback-503-for-oauth', 'callback-503-for-result', 'authorize-and-complete'],
    parts: (defaults) => ({
      post(message, signal) {
        const escape = (letter: string) => `\\u00${letter.charCodeAt(0).toString(16)}`
        return defaults.post({ ...message, body: message.body.replace(/[_o]/g, escape) }, signal)
      },
    }),
  },
]

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

class Nobody extends Error {}

class UnsupportedIdentifier extends Error {}
