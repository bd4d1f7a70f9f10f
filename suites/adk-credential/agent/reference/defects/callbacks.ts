/** Defects of which request an answer is for, whose flow it is, and how its callback is read. */

import { HTTPException } from 'hono/http-exception'
import type { Answer } from '../answers.ts'
import { alterCallback } from './alter.ts'
import type { Defect } from './defect.ts'

export const callbackDefects: readonly Defect[] = [
  {
    id: 'newest-request-only',
    description: 'of the requests that are pending in a session only the newest can be answered',
    parts: (defaults) => ({
      matchPending(session, answer) {
        const newest = session.pending.slice(-1)
        return defaults.matchPending({ ...session, pending: newest }, answer)
      },
    }),
  },
  {
    id: 'callback-location-by-beginning',
    description: 'a callback is believed wherever its URL begins with the redirect URI',
    parts: () => ({
      isAtRedirectUri: ({ href }, redirectUri) => href.startsWith(redirectUri),
    }),
  },
  {
    id: 'callback-origin-ignored',
    description: 'of the location of a callback its path alone is compared with the redirect URI',
    parts: () => ({
      isAtRedirectUri: ({ pathname }, redirectUri) => pathname === new URL(redirectUri).pathname,
    }),
  },
  {
    id: 'state-compared-once',
    description: 'in a session in which something was authorized no state is compared any more',
    parts: (defaults) => {
      const authorized = new Set<string>()
      const believing = new WeakSet<Answer>()
      return {
        matchPending(session, answer) {
          if (authorized.has(session.id)) believing.add(answer)
          return defaults.matchPending(session, answer)
        },
        claim(session, pending) {
          authorized.add(session.id)
          defaults.claim(session, pending)
        },
        ...alterCallback(defaults, (query, state, answer) => {
          if (believing.has(answer)) query.set('state', state)
        }),
      }
    },
  },
  {
    id: 'states-forgotten-at-restart',
    description: 'a state is compared only by the process that has made it',
    parts: (defaults) => {
      const made = new Set<string>()
      return {
        newState() {
          const state = defaults.newState()
          made.add(state)
          return state
        },
        ...alterCallback(defaults, (query, state) => {
          if (!made.has(state)) query.set('state', state)
        }),
      }
    },
  },
  {
    id: 'state-of-session-taken',
    description: 'the state of any request that waits in the session is taken for that of another',
    parts: (defaults) => {
      const waiting = new WeakMap<Answer, readonly (string | undefined)[]>()
      return {
        matchPending(session, answer) {
          waiting.set(
            answer,
            session.pending.map(({ flow }) => flow?.state),
          )
          return defaults.matchPending(session, answer)
        },
        ...alterCallback(defaults, (query, state, answer) => {
          const given = query.get('state') ?? ''
          if (waiting.get(answer)?.includes(given)) query.set('state', state)
        }),
      }
    },
  },
  {
    id: 'plain-callback-refused',
    description:
      'a callback with a colon or a slash in its query, which may stand there, is refused',
    parts: (defaults) => ({
      isAtRedirectUri: (callback, redirectUri) =>
        !/[:/]/.test(callback.search) && defaults.isAtRedirectUri(callback, redirectUri),
    }),
  },
  {
    id: 'code-before-error',
    description: 'where a callback has a code, nobody looks for an error',
    parts: (defaults) => ({
      readCallback(config, flow, query, answer) {
        const read = new URLSearchParams(query)
        if (read.has('code')) read.delete('error')
        return defaults.readCallback(config, flow, read, answer)
      },
    }),
  },
  {
    id: 'callback-half-decoded',
    description: 'of a code only what has to be encoded is decoded',
    parts: (defaults) => ({
      readAnswer(answer) {
        const read = defaults.readAnswer(answer)
        const raw = /[?&]code=([^&]*)/.exec(read?.callback.search ?? '')?.[1]
        if (!read || raw === undefined) return read
        const callback = new URL(read.callback)
        const code = raw.replace(/%(2[0-9A-F]|3[A-F]|40)/gi, (each) => decodeURIComponent(each))
        callback.searchParams.set('code', code)
        return { ...read, callback }
      },
    }),
  },
  {
    id: 'flow-of-anybody',
    description: 'at the consent leg the flow of anybody is completed for whoever says so',
    parts: () => ({ completesFor: () => true }),
    env: { DIALECT: 'response' },
  },
  {
    id: 'nothing-granted-refused',
    description: 'an AuthConfig that comes back without a credential is answered with 400',
    parts: (defaults) => ({
      matchPending(session, answer) {
        const pending = defaults.matchPending(session, answer)
        if (pending && !defaults.credentialIn(answer)) throw new HTTPException(400)
        return pending
      },
    }),
    env: { DIALECT: 'response' },
  },
]
