/** Defects between an `oauth` message and the user's eyes, and of what is left of the link afterwards. */

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import type { ChatMessage } from '../history.ts'
import { alterInvocations, alterShownUrl, alterReplay, alterStore, parseObject } from './alter.ts'
import type { Defect } from './defect.ts'

export const authorizationDefects: readonly Defect[] = [
  {
    id: 'oauth-not-known',
    description: 'a message of the type oauth is refused like one of an unknown type',
    parts: (defaults) => ({
      validateCallback: (body) =>
        parseObject(body)?.['type'] === 'oauth' ? undefined : defaults.validateCallback(body),
    }),
  },
  // ------------------------------------------------------------- what is shown
  {
    id: 'auth-url-not-shown',
    description: 'the link is written where nobody looks',
    parts: (defaults) => ({
      surfaceAuthUrl: (call, authUrl) => ({
        ...defaults.surfaceAuthUrl(call, authUrl),
        conversation: 'operations',
      }),
    }),
  },
  {
    id: 'auth-url-decoded',
    description: 'the link is percent-decoded',
    parts: (defaults) => alterShownUrl(defaults, decodeURI),
  },
  {
    id: 'auth-url-ends-before-a-bracket',
    description: 'the link ends before what may be punctuation after it, such as a bracket',
    parts: (defaults) => alterShownUrl(defaults, (url) => url.replace(/[.,;:!?)]+$/, '')),
  },
  {
    id: 'auth-url-parameters-once',
    description: 'of two parameters of the link with one name the last one is kept',
    parts: (defaults) =>
      alterShownUrl(defaults, (url) => {
        const names = new Set<string>()
        const [base = '', query = ''] = url.split(/[?](.*)/s)
        const kept = query
          .split('&')
          .toReversed()
          .filter((each) => !names.has(each.split('=')[0]!) && names.add(each.split('=')[0]!))
        return `${base}?${kept.toReversed().join('&')}`
      }),
  },
  {
    id: 'auth-url-query-rebuilt',
    description: 'the query of the link is parsed and put together again',
    parts: (defaults) =>
      alterShownUrl(defaults, (text) => {
        const url = new URL(text)
        url.search = new URLSearchParams(url.search).toString()
        return url.href
      }),
  },
  {
    id: 'auth-url-cut-at-ampersand',
    description: 'the link ends at its first ampersand',
    parts: (defaults) => alterShownUrl(defaults, (url) => url.split('&')[0] ?? ''),
  },
  {
    id: 'auth-url-without-fragment',
    description: 'the link ends before its fragment',
    parts: (defaults) => alterShownUrl(defaults, (url) => url.split('#')[0] ?? ''),
  },
  {
    id: 'auth-url-cut-at-2048',
    description: 'the link is kept in a column of 2,048 characters',
    parts: (defaults) => alterShownUrl(defaults, (url) => url.slice(0, 2_048)),
  },
  {
    id: 'first-auth-url-only',
    description: 'of several links for one call only the first is shown',
    parts: (defaults) => {
      const first = new Map<string, string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          if (!first.has(call.id)) first.set(call.id, authUrl)
          return defaults.surfaceAuthUrl(call, first.get(call.id) ?? authUrl)
        },
      }
    },
  },
  {
    id: 'oauth-of-the-authorized-ignored',
    description: 'who has authorized a call of a conversation is not asked for a later one of it',
    parts: (defaults) => {
      const connected = new Set<string>()
      return {
        matchCallback(message, call) {
          const match = defaults.matchCallback(message, call)
          const isAsking = match === 'accepted' && message.type === 'oauth'
          return isAsking && connected.has(message.group_id) ? 'duplicate' : match
        },
        injectResult(store, call, text) {
          if (call.awaitsAuthorization) connected.add(call.conversation)
          return defaults.injectResult(store, call, text)
        },
      }
    },
  },
  {
    id: 'every-oauth-shown-again',
    description: 'a repeated oauth message is shown like a new one',
    parts: (defaults) => ({
      matchCallback(message, call) {
        const match = defaults.matchCallback(message, call)
        return match === 'duplicate' && message.type === 'oauth' ? 'accepted' : match
      },
    }),
  },
  // ------------------------------------------------------------- to whom
  {
    id: 'auth-url-to-the-call-before',
    description: 'the link is shown in the conversation of the call before',
    parts: (defaults) => {
      const before = new Map<string, string>()
      let last: string | undefined
      return {
        buildInvocation(call, args, callbackUrl) {
          before.set(call.id, last ?? call.conversation)
          last = call.conversation
          return defaults.buildInvocation(call, args, callbackUrl)
        },
        surfaceAuthUrl: (call, authUrl) => ({
          ...defaults.surfaceAuthUrl(call, authUrl),
          conversation: before.get(call.id) ?? call.conversation,
        }),
      }
    },
  },
  {
    id: 'auth-url-to-who-spoke-last',
    description: 'the link is shown in the conversation in which somebody has spoken last',
    parts: (defaults) => {
      let last: string | undefined
      return {
        openStore(dataDir) {
          const store = defaults.openStore(dataDir)
          return {
            ...store,
            addMessage(conversation, body, unseen) {
              if (body.role === 'user') last = conversation
              return store.addMessage(conversation, body, unseen)
            },
          }
        },
        surfaceAuthUrl: (call, authUrl) => ({
          ...defaults.surfaceAuthUrl(call, authUrl),
          conversation: last ?? call.conversation,
        }),
      }
    },
  },
  {
    id: 'auth-urls-shown-once-each',
    description: 'a link that anybody was shown is not shown again, whichever its call',
    parts: (defaults) => {
      const known = new Map<string, string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          const surfaced = defaults.surfaceAuthUrl(call, authUrl)
          const first = known.get(authUrl) ?? call.id
          known.set(authUrl, first)
          return first === call.id ? surfaced : { ...surfaced, conversation: 'operations' }
        },
      }
    },
  },
  {
    id: 'auth-url-in-newest-conversation',
    description: 'the link is shown in the conversation that its user began last',
    parts(defaults) {
      const newest = new Map<string, string>()
      const known = new Set<string>()
      return {
        buildInvocation(call, args, callbackUrl) {
          if (call.userId && !known.has(call.conversation))
            newest.set(call.userId, call.conversation)
          known.add(call.conversation)
          return defaults.buildInvocation(call, args, callbackUrl)
        },
        surfaceAuthUrl: (call, authUrl) => ({
          ...defaults.surfaceAuthUrl(call, authUrl),
          conversation: newest.get(call.userId ?? '') ?? call.conversation,
        }),
      }
    },
  },
  {
    id: 'one-auth-url-per-conversation',
    description: 'a conversation has room for one link: that of another call takes its place',
    parts: (defaults) => ({
      openStore(dataDir) {
        const store = defaults.openStore(dataDir)
        return {
          ...store,
          keepAuthUrl(seq, authUrl, event) {
            const conversation = store.call(seq)?.conversation
            for (const other of store.openCalls(conversation)) store.forgetAuthUrl(other.seq)
            store.keepAuthUrl(seq, authUrl, event)
          },
        }
      },
    }),
  },
  // ------------------------------------------------------------- which links
  {
    id: 'second-auth-url-not-looked-at',
    description: 'only the first link of a call is looked at before it is shown',
    parts: (defaults) => {
      const asked = new Set<string>()
      let current = ''
      return {
        matchCallback(message, call) {
          current = message.id
          return defaults.matchCallback(message, call)
        },
        isUsableUrl(text) {
          if (asked.has(current)) return true
          const usable = defaults.isUsableUrl(text)
          if (usable) asked.add(current)
          return usable
        },
      }
    },
  },
  {
    id: 'any-auth-url-shown',
    description: 'whatever stands in auth_url is shown',
    parts: () => ({ isUsableUrl: () => true }),
  },
  {
    id: 'http-auth-url-shown',
    description: 'links may use http',
    parts: (defaults) => ({
      isUsableUrl: (text) => defaults.isUsableUrl(text.replace(/^http:/, 'https:')),
    }),
  },
  {
    id: 'similar-schemes-shown',
    description: 'links need only begin with "https"',
    parts: (defaults) => ({
      isUsableUrl: (text) => defaults.isUsableUrl(text.replace(/^https[^:]*:/, 'https:')),
    }),
  },
  {
    id: 'script-urls-refused-only',
    description: 'of the links only javascript: and data: are refused',
    parts: () => ({ isUsableUrl: (text) => !/^(javascript|data):/i.test(text) }),
  },
  {
    id: 'auth-url-with-userinfo-shown',
    description: 'links may carry userinfo',
    parts: (defaults) => ({
      isUsableUrl: (text) => defaults.isUsableUrl(text.replace(/^https:\/\/[^/?#]*@/, 'https://')),
    }),
  },
  {
    id: 'auth-url-to-who-looks-only',
    description: 'the link goes to the streams that are open, and to nobody who comes later',
    parts: (defaults) =>
      alterStore(defaults, (store) => ({
        eventsAfter: (conversation, after) =>
          store
            .eventsAfter(conversation, after)
            .filter(({ type }) => type !== 'authorization_required'),
      })),
  },
  // ------------------------------------------------------------- what is left of it
  {
    id: 'auth-url-waits-for-its-user',
    description: 'a link that nobody was there to see is shown to who comes, its call over or not',
    parts: (defaults) =>
      alterReplay(defaults, (events, missed) => [...events, ...(missed ? [missed] : [])]),
  },
  {
    id: 'auth-url-kept',
    description: 'the link stays in the database when its call has completed',
    parts: () => ({ forgetAuthUrl: () => {} }),
  },
  {
    id: 'auth-url-of-before-the-restart-kept',
    description: 'which links are to be forgotten is known in memory only, so a restart keeps them',
    parts: (defaults) => {
      const known = new Set<string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          known.add(call.id)
          return defaults.surfaceAuthUrl(call, authUrl)
        },
        forgetAuthUrl(store, call) {
          if (known.has(call.id)) defaults.forgetAuthUrl(store, call)
        },
      }
    },
  },
  {
    id: 'auth-url-kept-compressed',
    description: 'every link is kept for good, in a compressed file beside the database',
    parts: (defaults) => {
      let folder = ''
      return {
        openStore(dataDir) {
          folder = dataDir
          return defaults.openStore(dataDir)
        },
        surfaceAuthUrl(call, authUrl) {
          appendFileSync(join(folder, 'shown.gz'), gzipSync(`${call.id} ${authUrl}\n`))
          return defaults.surfaceAuthUrl(call, authUrl)
        },
      }
    },
  },
  {
    id: 'auth-url-in-a-long-log',
    description: 'the link is logged, after thousands of other lines',
    parts: (defaults) => {
      process.stderr.write('debug: another line\n'.repeat(6_000))
      return {
        surfaceAuthUrl(call, authUrl) {
          process.stderr.write(`shown: ${authUrl}\n`)
          return defaults.surfaceAuthUrl(call, authUrl)
        },
      }
    },
  },
  {
    id: 'auth-url-kept-after-an-error',
    description: 'the link stays in the database when its call has ended with an error',
    parts: (defaults) => ({
      forgetAuthUrl: () => {},
      injectResult(store, call, text) {
        if (!text.startsWith('Error')) defaults.forgetAuthUrl(store, call)
        defaults.injectResult(store, call, text)
      },
    }),
  },
  {
    id: 'auth-url-in-log',
    description: 'the link is logged when it is shown',
    parts: (defaults) => ({
      surfaceAuthUrl(call, authUrl) {
        process.stderr.write(`showing ${authUrl} to the user\n`)
        return defaults.surfaceAuthUrl(call, authUrl)
      },
    }),
  },
  {
    id: 'callback-body-in-log',
    description: 'the bodies of callbacks are logged',
    parts: (defaults) => ({
      validateCallback(body) {
        process.stderr.write(`callback: ${body.slice(0, 2_000)}\n`)
        return defaults.validateCallback(body)
      },
    }),
  },
  {
    id: 'auth-url-kept-in-history',
    description: 'the link stays in the history that the model gets',
    parts: (defaults) => {
      const shown = new Map<string, string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          shown.set(call.conversation, authUrl)
          return defaults.surfaceAuthUrl(call, authUrl)
        },
        historyForModel: (messages, informModel) =>
          messages
            .flatMap(({ calls }) => calls)
            .slice(0, 1)
            .flatMap(({ conversation }): ChatMessage[] => {
              const url = shown.get(conversation)
              if (url === undefined) return []
              return [{ role: 'system', content: `The user was sent to ${url} for authorization.` }]
            })
            .concat(defaults.historyForModel(messages, informModel)),
      }
    },
  },
  {
    id: 'auth-url-in-cancellation',
    description: 'tools are told with a cancellation what its user was to visit',
    parts: (defaults) => {
      const shown = new Map<string, string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          shown.set(call.id, authUrl)
          return defaults.surfaceAuthUrl(call, authUrl)
        },
        notifyCancellation: (call, settings, exchange) =>
          defaults.notifyCancellation(call, settings, {
            ...exchange,
            status: (outgoing) =>
              exchange.status({
                ...outgoing,
                body: { ...(outgoing.body as object), waited_for: shown.get(call.id) },
              }),
          }),
      }
    },
  },
  {
    id: 'auth-url-in-next-invocation',
    description: 'an invocation says what its user was shown last in the conversation',
    parts: (defaults) => {
      const shown = new Map<string, string>()
      return {
        surfaceAuthUrl(call, authUrl) {
          shown.set(call.conversation, authUrl)
          return defaults.surfaceAuthUrl(call, authUrl)
        },
        ...alterInvocations(defaults, ({ group_id }) => ({ last_shown: shown.get(group_id) })),
      }
    },
  },
]
