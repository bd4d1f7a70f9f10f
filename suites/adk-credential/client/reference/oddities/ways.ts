/** Oddities: how the agent is reached, what the user sees, and in which form the answer is sent. */

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fieldsOf, requestName } from '../events.ts'
import type { Config } from '../environment.ts'
import type { Fields, Item, Session } from '../work.ts'
import type { Oddity } from './oddity.ts'

const flow = 'ADK Authentication, Handle the interactive OAuth/OIDC flow (client-side)'

/** Names in snake_case, and every member that a type has: what model_dump() of Python gives. */
function dumped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dumped)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [
    /[:/]/.test(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    dumped(each),
  ])
  return { ...(Object.fromEntries(members) as Fields), model_extra: null }
}

/** How many events of each session were read. */
const read = new Map<string, number>()

/** What has come into a session since it was read last, without what the user has said. */
async function readSession(
  { agentUrl, app }: Config,
  { user, id }: Session,
): Promise<readonly Fields[]> {
  const path = ['apps', app, 'users', user, 'sessions', id].map(encodeURIComponent).join('/')
  const { events } = fieldsOf(await (await fetch(`${agentUrl}/${path}`)).json())
  const all = Array.isArray(events) ? events.map(fieldsOf) : []
  const known = read.get(id) ?? 0
  read.set(id, all.length)
  return all.slice(known).filter(({ author }) => author !== 'user')
}

/** What a user reads, as it comes, until they go. */
function streamOf(items: () => readonly Item[]): ReadableStream<Uint8Array> {
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        for (const item of items().slice(sent))
          controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(item)}\n\n`))
        sent = items().length
      }, 20)
    },
    cancel: () => clearInterval(timer),
  })
}

const ownUrl = (path: string): string => `http://127.0.0.1:${process.env['PORT']}/${path}`
const hopTo = (key: string): string => ownUrl(`leads/${key}-on`)

/** Links to itself in place of those that lead away, and what is answered there: at first, and on the way from that. */
const leading =
  (answer: (url: string, key: string, hop: boolean) => Response): NonNullable<Oddity['parts']> =>
  ({ itemsFor }) => {
    const urls: string[] = []
    return {
      itemsFor(item) {
        if (item.url === undefined) return itemsFor(item)
        urls.push(item.url)
        return itemsFor({ ...item, url: ownUrl(`leads/${urls.length}`) })
      },
      leadsTo(link) {
        const [key = '', hop] = link.split('-')
        const url = urls[Number(key) - 1]
        return url === undefined ? undefined : answer(url, key, hop !== undefined)
      },
    }
  }

export const waysOddities: readonly Oddity[] = [
  {
    id: 'session-read',
    description: 'events are read from the session, whatever the answer to a message has',
    permitted: 'ADK API server, Get a session: its events',
    touches: ['consent-and-complete', 'two-requests', 'two-users', 'request-among-events'],
    parts: ({ runTurn }) => ({
      runTurn: async (config, session, parts) => {
        await runTurn(config, session, parts)
        return [...(await readSession(config, session))]
      },
    }),
  },
  {
    id: 'without-streaming',
    description: 'the agent is asked by /run, without streaming',
    permitted: `${flow}: /run or /run_sse`,
    touches: ['consent-and-complete', 'two-requests', 'agent-error', 'request-among-events'],
    env: { AGENT_TRANSPORT: 'run' },
  },
  {
    id: 'dialect-of-responses',
    description:
      'the agent asks by functionResponses, and makes URLs and credentials at two routes',
    permitted: 'adk-rs Authenticated tools, The resolution pipeline',
    touches: [
      'consent-and-complete',
      'two-requests',
      'two-users',
      'denied',
      'foreign-state',
      'double-callback',
      'empty-redirect',
      'preset-redirect',
      'unsafe-uri-javascript',
      'agent-error',
    ],
    configuration: { agent: { dialect: 'response' } },
  },
  {
    id: 'answer-in-snake-case',
    description: 'the answer is written in snake_case, with members that are null',
    permitted: `${flow}: the response is the serialized AuthConfig`,
    touches: ['consent-and-complete', 'request-in-snake-case', 'denied'],
    parts: ({ answerFor }) => ({
      answerFor: async (...parts) => fieldsOf(dumped(await answerFor(...parts))),
    }),
  },
  {
    id: 'unknown-members-dropped',
    description: 'the answer has nothing that its types do not know',
    permitted: `${flow}: the response is the serialized AuthConfig`,
    touches: ['consent-and-complete', 'request-among-events'],
    parts: ({ requestsIn }) => ({
      requestsIn: (events) =>
        requestsIn(events).map((request) => ({
          ...request,
          config: JSON.parse(
            JSON.stringify(request.config, (name, value: unknown) =>
              name.startsWith('x-') ? undefined : value,
            ),
          ) as Fields,
        })),
    }),
  },
  {
    id: 'callback-put-together-anew',
    description: 'the callback is put together from its parsed parameters, in another order',
    permitted:
      'RFC 6749 §4.1.2: the order of the parameters means nothing, nor how they are encoded',
    touches: ['consent-and-complete', 'state-with-reserved-characters', 'denied'],
    parts: () => ({
      callbackUrl(url) {
        const { origin, pathname, searchParams } = new URL(url)
        return `${origin}${pathname}?${new URLSearchParams([...searchParams].toReversed()).toString()}`
      },
    }),
  },
  {
    id: 'denial-in-words',
    description: 'the agent is told in words that the user has denied',
    permitted: 'RFC 6749 §4.1.2.1: how an application handles an error is its own business',
    touches: ['denied', 'double-denial'],
    parts: ({ answerFor, answerPart }) => {
      let denied = false
      return {
        answerFor(config, pending, url) {
          denied = new URL(url).searchParams.has('error')
          return answerFor(config, pending, url)
        },
        answerPart: (pending, response) =>
          denied ? { text: 'The user has denied.' } : answerPart(pending, response),
      }
    },
  },
  {
    id: 'answer-retried',
    description: 'an answer that the agent refuses is sent once more',
    permitted: 'RFC 9110 §9.2.2: what is known not to have been taken may be sent again',
    touches: ['agent-error', 'double-callback', 'double-denial'],
    parts: ({ runTurn }) => ({
      runTurn: (config, session, parts) =>
        runTurn(config, session, parts).catch(() => runTurn(config, session, parts)),
    }),
  },
  {
    id: 'words-with-answer',
    description: 'the message that answers has words of the user, too',
    permitted: 'ADK API server: a message has several parts',
    touches: ['consent-and-complete', 'denied', 'double-denial'],
    parts: ({ runTurn }) => ({
      runTurn: (config, session, parts) =>
        runTurn(
          config,
          session,
          JSON.stringify(parts).includes(requestName) ? [...parts, { text: 'I am back.' }] : parts,
        ),
    }),
  },
  {
    id: 'last-request-first',
    description:
      'requests of one event are taken one after the other for each user, the last one first',
    permitted: `${flow}: each request is answered, in no order`,
    touches: ['consent-and-complete', 'two-requests', 'two-users'],
    parts({ answerFor, authUriOf, requestsIn }) {
      const asked = new WeakMap<object, { readonly answered: Promise<void>; end(): void }>()
      return {
        requestsIn: (events) => requestsIn(events).toReversed(),
        async authUriOf(config, request, session) {
          await asked.get(session)?.answered
          let end = (): void => undefined
          const answered = new Promise<void>((resolve) => (end = resolve))
          asked.set(session, { answered, end })
          return authUriOf(config, request, session)
        },
        answerFor(config, pending, url) {
          asked.get(pending.session)?.end()
          return answerFor(config, pending, url)
        },
      }
    },
  },
  {
    id: 'session-chosen',
    description: 'the id of the session is chosen by the application',
    permitted: 'ADK API server: POST /apps/{app}/users/{user}/sessions/{session}',
    touches: ['consent-and-complete', 'talk-while-pending', 'two-users'],
    parts: () => ({
      async createSession({ agentUrl, app }, user) {
        const id = `s-${process.pid}`
        await fetch(`${agentUrl}/apps/${app}/users/${user}/sessions/${id}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
        return { user, id }
      },
    }),
  },
  {
    id: 'redirect-after-message',
    description: 'what the user said is answered by a redirect to the page with all messages',
    permitted: 'RFC 9110 §15.4.4: a 303 leads to what came of it',
    touches: ['consent-and-complete', 'unsafe-uri-javascript', 'talk-while-pending'],
    parts: () => ({
      answerMessage: (user) =>
        Response.redirect(
          `http://127.0.0.1:${process.env['PORT']}/messages?user=${encodeURIComponent(user)}`,
          303,
        ),
    }),
    configuration: {
      drive: {
        http: { surface: [{ response: true }, { poll: { path: '/messages?user={user}' } }] },
      },
    },
  },
  {
    id: 'news-with-next-message',
    description: 'what has come meanwhile is shown in the answer to the next message of its user',
    permitted: 'RFC 9110 §3.4: a server answers, and sends nothing by itself',
    touches: [
      'consent-and-complete',
      'two-requests',
      'two-users',
      'request-in-answer',
      'unsafe-uri-javascript',
      'talk-while-pending',
      'agent-error',
      'denied',
    ],
    parts: () => {
      const read = new Map<string, number>()
      return {
        answerMessage(user, items) {
          const news = items().slice(read.get(user) ?? 0)
          read.set(user, items().length)
          return Response.json({ items: news })
        },
      }
    },
    configuration: { drive: { http: { surface: [{ response: true }] } } },
  },
  {
    id: 'failure-is-a-symbol',
    description: 'that something has failed is shown by a symbol alone',
    permitted: 'no document: how its user is told is left to it',
    touches: ['agent-error'],
    parts: () => ({ failureItems: () => [{ kind: 'notice', text: '\u274c' }] }),
  },
  {
    id: 'answer-streams-on',
    description: 'a message is answered by a stream of events, which does not end with its turn',
    permitted: 'HTML §9.2: what comes later is sent in the same stream of events',
    touches: [
      'consent-and-complete',
      'two-requests',
      'unsafe-uri-javascript',
      'talk-while-pending',
    ],
    parts: () => ({
      answerMessage: (_user, items) =>
        new Response(streamOf(items), { headers: { 'content-type': 'text/event-stream' } }),
    }),
    configuration: { drive: { http: { surface: [{ response: true }] } } },
  },
  {
    id: 'link-to-itself',
    description: 'the link that is shown leads to the application itself, which redirects',
    permitted: `${flow}: the user is directed to the URL, in whichever way`,
    touches: ['consent-and-complete', 'two-requests', 'two-users', 'preset-redirect', 'denied'],
    parts: leading((url) => Response.redirect(url, 302)),
  },
  {
    id: 'link-with-two-hops',
    description: 'the link that is shown leads to the application itself, which redirects twice',
    permitted: `${flow}: the user is directed to the URL, in whichever way`,
    touches: ['consent-and-complete', 'two-requests'],
    parts: leading((url, key, hop) =>
      hop ? Response.redirect(url, 302) : Response.redirect(hopTo(key), 302),
    ),
  },
  {
    id: 'link-to-interstitial',
    description: 'the link that is shown leads to a page of the application, with a link to go on',
    permitted: `${flow}: the user is directed to the URL, in whichever way`,
    touches: ['consent-and-complete', 'two-requests', 'unsafe-uri-javascript'],
    parts: leading((url, key, hop) =>
      hop
        ? Response.redirect(url, 302)
        : new Response(`<p>You are about to leave. <a href="${hopTo(key)}">Continue</a></p>`, {
            headers: { 'content-type': 'text/html' },
          }),
    ),
  },
  {
    id: 'link-sets-cookie',
    description: 'a link to itself sets a cookie, and a callback without it is refused',
    permitted: 'RFC 9700 §4.7.1: a callback is taken from the browser that was sent away',
    touches: ['consent-and-complete', 'two-requests', 'two-users', 'denied', 'double-callback'],
    parts(defaults) {
      const known = new Set<string>()
      return {
        mayComeBack: (cookies) =>
          cookies.split('; ').some((each) => known.has(each.replace('flow=', ''))),
        ...leading((location) => {
          const id = randomUUID()
          known.add(id)
          const cookie = `flow=${id}; Path=/; HttpOnly; SameSite=Lax`
          return new Response(null, { status: 302, headers: { location, 'set-cookie': cookie } })
        })(defaults),
      }
    },
  },
  {
    id: 'callback-redirects-on',
    description: 'what is asked for because of an answer is where its callback redirects to',
    permitted: `${flow}: the user is directed to the URL, in whichever way`,
    touches: ['request-in-answer', 'consent-and-complete', 'two-requests'],
    parts({ itemsFor }) {
      let isBack = false
      let next: string | undefined
      return {
        mayComeBack: () => (isBack = true),
        itemsFor(item) {
          if (!isBack || item.url === undefined) return itemsFor(item)
          next = item.url
          return []
        },
        goesOnTo() {
          const to = next
          isBack = false
          next = undefined
          return to
        },
      }
    },
  },
  {
    id: 'events-passed-on',
    description: 'beside the URL to open stand the events of the agent as they came',
    permitted: `${flow}: what else an application shows is up to it`,
    touches: ['consent-and-complete', 'request-among-events', 'preset-redirect', 'two-requests'],
    parts({ requestsIn, itemsFor }) {
      let events: readonly Fields[] = []
      return {
        requestsIn(came) {
          events = came
          return requestsIn(came)
        },
        itemsFor: (item) =>
          itemsFor(item.url === undefined ? item : Object.assign({ events }, item)),
      }
    },
  },
  {
    id: 'opens-browsers',
    description: 'the URL is opened in a browser, after a page of its own, and is shown nowhere',
    permitted: `${flow}: the user is directed to the URL`,
    touches: ['consent-and-complete', 'two-requests', 'unsafe-uri-http', 'preset-redirect'],
    parts: ({ itemsFor }) => ({
      itemsFor(item) {
        if (item.url === undefined) return itemsFor(item)
        for (const url of [`http://127.0.0.1:${process.env['PORT']}/`, item.url])
          spawn(process.env['BROWSER'] ?? 'xdg-open', [url], { stdio: 'ignore' })
        return itemsFor({ ...item, url: undefined })
      },
    }),
  },
  {
    id: 'refusal-quotes-url',
    description: 'when a URL is not opened, the user is told which',
    permitted: 'RFC 6749 §3.1: what is said about a URL that is not used is up to the application',
    touches: ['unsafe-uri-javascript', 'unsafe-uri-http', 'unsafe-uri-data', 'unsafe-uri-junk'],
    parts: ({ isSafeUrl, itemsFor }) => {
      let refused = ''
      return {
        isSafeUrl(url) {
          const safe = isSafeUrl(url)
          if (!safe) refused = url
          return safe
        },
        itemsFor: (item) =>
          item.kind === 'notice' && refused !== ''
            ? itemsFor({ ...item, text: `${item.text} It was: ${refused}` })
            : itemsFor(item),
      }
    },
  },
  {
    id: 'callback-posts-to-opener',
    description: 'the page of the callback hands its address to the window that opened it',
    permitted: 'RFC 9700 §4.2: the page shows nothing of it',
    touches: ['consent-and-complete', 'double-callback'],
    parts: ({ callbackPage }) => ({
      callbackPage: (found, url) =>
        callbackPage(found, url).replace(
          '</html>',
          `<script>window.opener?.postMessage(${JSON.stringify(url).replaceAll('<', '\\u003c')}, location.origin)</script></html>`,
        ),
    }),
  },
  {
    id: 'error-described-on-page',
    description: 'the page of the callback says with what the provider has refused',
    permitted: 'RFC 6749 §4.1.2.1: error_description is there to be read; §10.14: it is escaped',
    touches: ['denied', 'error-at-provider', 'markup-in-description', 'markup-in-error'],
    parts: ({ callbackPage }) => ({
      callbackPage(found, url) {
        const { searchParams } = new URL(url)
        const said = ['error', 'error_description'].map((name) => searchParams.get(name) ?? '')
        const escaped = said.join(': ').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        return callbackPage(found, url).replace('<p>', () => `<p>${escaped} `)
      },
    }),
  },
]
