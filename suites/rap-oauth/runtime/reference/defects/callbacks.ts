/** Defects of the callback endpoint: what it takes for a message, for whose, and how it answers. */

import type { MiddlewareHandler } from 'hono'

import type { CallbackMessage, Match } from '../callback.ts'
import type { Parts } from '../parts.ts'
import type { Call } from '../records.ts'
import { alterCallbacks, alterContent, alterInvocations, parseObject } from './alter.ts'
import type { Defect } from './defect.ts'

export const callbackDefects: readonly Defect[] = [
  // ------------------------------------------------------------- what a message is
  {
    id: 'callbacks-not-validated',
    description: 'of a callback nothing is checked; what is missing is what the call has',
    parts: (defaults) => ({
      validateCallback(body) {
        const message = parseObject(body)
        if (message === undefined) return undefined
        const { type, text, content } = message
        const words = text ?? content
        return defaults.validateCallback(
          JSON.stringify({
            group_id: missing,
            id: missing,
            ...message,
            type: type === 'oauth' ? type : 'tool_result',
            auth_url: String(message['auth_url']),
            content: undefined,
            text: typeof words === 'string' ? words : JSON.stringify(words),
          }),
        )
      },
      matchCallback: (message, call) =>
        defaults.matchCallback(call === undefined ? message : completed(message, call), call),
    }),
  },
  {
    id: 'results-compared-by-text',
    description: 'a result whose text has come already is a duplicate, whichever its call',
    parts(defaults) {
      const known = new Set<string>()
      return {
        matchCallback(message, call) {
          const match = defaults.matchCallback(message, call)
          if (match !== 'accepted' || message.type !== 'tool_result') return match
          const text = JSON.stringify([message.text, message.content])
          return known.has(text) ? 'duplicate' : (known.add(text), match)
        },
      }
    },
  },
  {
    id: 'unknown-types-as-results',
    description: 'a callback of an unknown type counts as a result',
    parts: (defaults) =>
      alterCallbacks(defaults, (message) =>
        message['type'] === 'oauth' ? message : { ...message, type: 'tool_result' },
      ),
  },
  {
    id: 'unknown-fields-refused',
    description: 'a callback with a field that RAP does not name is refused',
    parts: (defaults) => refusing(defaults, hasUnknownFields),
  },
  {
    id: 'unknown-fields-of-oauth-refused',
    description: 'an oauth message with a field that RAP does not name is refused',
    parts: (defaults) =>
      refusing(defaults, (message) => message['type'] === 'oauth' && hasUnknownFields(message)),
  },
  {
    id: 'results-without-call-id-refused',
    description: 'call_id is null in every invocation, and a result without it is refused',
    parts: (defaults) => ({
      ...alterInvocations(defaults, () => ({ call_id: null })),
      ...refusing(defaults, (message) => !('call_id' in message)),
    }),
  },
  {
    id: 'null-call-id-refused',
    description: 'invocations have no call_id, and a message whose call_id is null is refused',
    parts: (defaults) => ({
      ...alterInvocations(defaults, () => ({ call_id: undefined })),
      ...refusing(defaults, (message) => message['call_id'] === null),
    }),
  },
  {
    id: 'results-without-text-taken',
    description: 'a result that has neither text nor content ends its call with "None"',
    parts: (defaults) =>
      alterCallbacks(defaults, (message) =>
        message['type'] === 'tool_result' && !('text' in message) && !('content' in message)
          ? { ...message, text: 'None' }
          : message,
      ),
  },
  {
    id: 'images-dropped',
    description:
      'of the content of a result the images are left out, and nothing stands in their place',
    parts: (defaults) =>
      alterContent(defaults, (items) => items.filter(({ type }) => type !== 'image')),
  },
  // ------------------------------------------------------------- whose it is
  {
    id: 'empty-text-taken-for-none',
    description: 'a result whose text is empty is refused like one without text',
    parts: (defaults) =>
      alterCallbacks(defaults, ({ text, ...message }) => (text ? { ...message, text } : message)),
  },
  {
    id: 'content-type-with-parameter-refused',
    description: 'a callback whose content type has a charset is refused',
    parts: (defaults) =>
      answering(
        defaults,
        (answer) => answer,
        ({ headers }) => headers.get('content-type') !== 'application/json',
      ),
  },
  {
    id: 'callbacks-above-100-kilobytes-refused',
    description: 'a callback of more than 100 kilobytes is refused, as body parsers do by default',
    parts: (defaults) =>
      answering(
        defaults,
        (answer) => answer,
        ({ headers }) => Number(headers.get('content-length')) > 100 * 1024,
      ),
  },
  {
    id: 'ids-not-compared',
    description: 'the ids in a callback are not looked at',
    parts: (defaults) => matching(defaults, (message, call) => ({ ...message, ...idsOf(call) })),
  },
  {
    id: 'group-id-not-compared',
    description: 'the group_id in a callback is not looked at',
    parts: (defaults) =>
      matching(defaults, (message, call) => ({ ...message, group_id: call.conversation })),
  },
  {
    id: 'ids-compared-without-case',
    description: 'the ids in a callback are compared without regard to case, as some databases do',
    parts: (defaults) =>
      matching(defaults, (message, call) => {
        const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
        return same(message.id, call.id) && same(message.group_id, call.conversation)
          ? { ...message, ...idsOf(call) }
          : message
      }),
  },
  {
    id: 'ids-by-their-beginning',
    description: 'an id in a callback that is the beginning of the right one is taken for it',
    parts: (defaults) =>
      matching(defaults, (message, call) =>
        call.id.startsWith(message.id) && call.conversation.startsWith(message.group_id)
          ? { ...message, ...idsOf(call) }
          : message,
      ),
  },
  {
    id: 'late-callbacks-taken',
    description: 'a call that has its result takes another one, and other links',
    parts: (defaults) => ({
      matchCallback(message, call) {
        const match = defaults.matchCallback(message, call)
        return match === 'settled' ? 'accepted' : match
      },
    }),
  },
  {
    id: 'oauth-taken-after-the-end',
    description: 'a link for a call that has ended is shown',
    parts: (defaults) => ({
      matchCallback(message, call) {
        const match = defaults.matchCallback(message, call)
        return match === 'settled' && message.type === 'oauth' ? 'accepted' : match
      },
    }),
  },
  {
    id: 'ended-calls-forgotten-by-a-restart',
    description: 'which calls have ended is known in memory only, so a restart makes them pending',
    parts(defaults) {
      const ended = new Set<string>()
      return {
        injectResult(store, call, text) {
          ended.add(call.id)
          defaults.injectResult(store, call, text)
        },
        matchCallback(message, call) {
          const match = defaults.matchCallback(message, call)
          return call?.state === 'settled' && !ended.has(call.id) ? 'accepted' : match
        },
      }
    },
  },
  {
    id: 'duplicate-results-injected',
    description: 'a repeated result is given to the model again',
    parts: (defaults) => ({
      matchCallback(message, call) {
        const match = defaults.matchCallback(message, call)
        return match === 'duplicate' && message.type === 'tool_result' ? 'accepted' : match
      },
    }),
  },
  {
    id: 'callback-before-acknowledgement-refused',
    description: 'a callback counts only once its invocation has been acknowledged',
    parts: (defaults) => ({
      matchCallback: (message, call) =>
        call?.state === 'sending' ? 'unknown' : defaults.matchCallback(message, call),
    }),
  },
  {
    id: 'result-before-acknowledgement-refused',
    description: 'a result counts only once its invocation has been acknowledged',
    parts: (defaults) => ({
      matchCallback: (message, call) =>
        call?.state === 'sending' && message.type === 'tool_result'
          ? 'unknown'
          : defaults.matchCallback(message, call),
    }),
  },
  // ------------------------------------------------------------- how it is answered
  {
    id: 'callbacks-answered-by-redirect',
    description: 'a callback that was taken is answered by a redirect',
    parts: (defaults) =>
      answering(defaults, (answer) =>
        answer.ok ? Response.redirect('http://runtime.example/', 303) : answer,
      ),
  },
  {
    id: 'refusals-are-server-errors',
    description: 'a callback that cannot be used is answered 500',
    parts: (defaults) =>
      answering(defaults, (answer) => (answer.ok ? answer : new Response(null, { status: 500 }))),
  },
  {
    id: 'callback-url-blocked-after-a-refusal',
    description: 'a callback URL to which something unusable was sent takes nothing any more',
    parts: (defaults) => {
      const blocked = new Set<string>()
      return answering(
        defaults,
        (answer, url) => {
          if (!answer.ok) blocked.add(url)
          return answer
        },
        ({ url }) => blocked.has(url),
      )
    },
  },
]

const missing = 'missing'

const knownFields = new Set([
  'type',
  'group_id',
  'id',
  'call_id',
  'auth_url',
  'text',
  'content',
  'display_as',
])

function hasUnknownFields(message: Readonly<Record<string, unknown>>): boolean {
  return !Object.keys(message).every((name) => knownFields.has(name))
}

/** Refuses messages that would otherwise be taken. */
function refusing(
  defaults: Parts,
  refuses: (message: Readonly<Record<string, unknown>>) => boolean,
) {
  return {
    validateCallback: (body) =>
      refuses(parseObject(body) ?? {}) ? undefined : defaults.validateCallback(body),
  } satisfies Partial<Parts>
}

function idsOf(call: Call) {
  return { group_id: call.conversation, id: call.id, call_id: call.callId }
}

function completed(message: CallbackMessage, call: Call): CallbackMessage {
  return {
    ...message,
    ...(message.group_id === missing ? { group_id: call.conversation } : {}),
    ...(message.id === missing ? { id: call.id } : {}),
  }
}

/** Compares another message than the one that came. */
function matching(
  defaults: Parts,
  change: (message: CallbackMessage, call: Call) => CallbackMessage,
) {
  return {
    matchCallback: (message, call): Match =>
      defaults.matchCallback(call === undefined ? message : change(message, call), call),
  } satisfies Partial<Parts>
}

/** Changes the answer to a callback, or refuses it before it is read. */
function answering(
  defaults: Parts,
  change: (answer: Response, url: string) => Response,
  refuses: (request: Request) => boolean = () => false,
) {
  const guardCallback: MiddlewareHandler = async (http, next) => {
    const { url } = http.req
    if (refuses(http.req.raw)) return http.body(null, 403)
    const answer = (await defaults.guardCallback(http, next)) ?? http.res
    const changed = change(answer, url)
    // What is set over an answer that there is would get its headers.
    http.res = undefined
    http.res = changed
    return undefined
  }
  return { guardCallback } satisfies Partial<Parts>
}
