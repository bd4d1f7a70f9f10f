/** Oddities of how the user is asked. */

import { UrlElicitationRequiredError, type ElicitResult } from '@modelcontextprotocol/server'

import { ownerOf } from '../access/principal.ts'
import {
  alterElicitation,
  alterResults,
  answerByError,
  fieldsOf,
  pause,
  rethrowRequired,
  showForm,
} from '../defects/alter.ts'
import { abandoned, type Ending } from '../elicitations.ts'
import { CallFailure } from '../failure.ts'
import type { Asking, AskingParts } from '../mcp/ask-by-request.ts'
import type { Parts } from '../parts.ts'
import { onGetStream } from './get-stream.ts'
import type { Oddity } from './oddity.ts'
import { termsOf } from './terms.ts'

const spec = 'MCP 2025-11-25 Elicitation'

export const askingOddities: readonly Oddity[] = [
  {
    id: 'asks-twice',
    description: 'a call asks for two consents, one after the other, and works with the second',
    permitted: `${spec}, Message Flow: how many elicitations a call needs is open`,
    touches: ['connect-and-complete', 'stored-token', 'two-callbacks-at-once'],
    parts: () => ({ attempt: (authorize) => authorize().then(authorize) }),
  },
  {
    id: 'terms-first',
    description:
      'who is new agrees to terms on a page of the server first, which is an elicitation',
    permitted: `${spec}, URL Mode: also for interactions other than authorization`,
    touches: [
      'connect-and-complete',
      'two-sessions',
      'accept-only',
      'denied-at-the-provider',
      'other-browser',
      'stored-token',
    ],
    parts: (defaults) => {
      const terms = termsOf(defaults)
      return {
        ...terms.parts,
        async askByRequest(asking, parts) {
          const own = terms.ask(asking)
          const ending = own && (await defaults.askByRequest(own, parts))
          if (ending && ending.kind !== 'authorized') return ending
          return defaults.askByRequest(asking, parts)
        },
      }
    },
  },
  {
    id: 'required-error-lists-two',
    description: 'the error -32042 lists terms to agree to on a page, beside the authorization',
    permitted: `${spec}, Error Handling: a list of elicitations that are required`,
    touches: ['connect-and-complete', 'two-sessions', 'denied-at-the-provider', 'stored-token'],
    parts: (defaults) => listingTerms(defaults, (authorization, terms) => [authorization, terms]),
  },
  {
    id: 'required-error-lists-terms-first',
    description:
      'the error -32042 lists terms to agree to, then the authorization; both are needed',
    permitted: `${spec}, Error Handling: a list of elicitations that are required`,
    touches: ['connect-and-complete', 'two-sessions', 'denied-at-the-provider', 'stored-token'],
    parts: (defaults) => listingTerms(defaults, (authorization, terms) => [terms, authorization]),
  },
  {
    id: 'required-error',
    description: 'the user is asked by the error -32042, and complete comes when they are done',
    permitted: `${spec}, URL Elicitation Required Error: the server MAY return it`,
    touches: [
      'connect-and-complete',
      'answered-with-decline',
      'denied-at-the-provider',
      'answered-by-another',
    ],
    parts: (defaults) => ({
      ...answerByError(defaults, (params) => [params]),
      askByRequest(asking) {
        void completeWhenDone(asking)
        return answerByError(defaults, (params) => [params]).askByRequest(asking)
      },
    }),
  },
  {
    id: 'required-error-without-complete',
    description: 'the user is asked by the error -32042, and nothing tells when they are done',
    permitted: `${spec}, Completion Notifications: servers MAY send them`,
    touches: ['connect-and-complete'],
    parts: (defaults) => answerByError(defaults, (params) => [params]),
  },
  {
    id: 'no-complete',
    description: 'complete is never sent',
    permitted: `${spec}, Completion Notifications: servers MAY send them`,
    touches: ['connect-and-complete', 'two-sessions'],
    parts: () => ({ notifyComplete: async () => {} }),
  },
  {
    id: 'complete-after-the-result',
    description: 'complete comes a second after the call has ended, on the stream of no call',
    permitted: `${spec}, Completion Notifications: nothing is said of when`,
    touches: ['connect-and-complete', 'two-sessions'],
    parts: () => ({
      async notifyComplete(call, { id }) {
        void pause(1000).then(() => complete(call, id))
      },
    }),
  },
  {
    id: 'one-elicitation-for-waiting-calls',
    description: 'of the calls that wait for the same user one asks, and the others wait with it',
    permitted: `${spec}, Implementation Considerations: how elicitations are counted is left open`,
    touches: ['connect-and-complete', 'two-sessions', 'state-of-another-flow'],
    parts: (defaults) => {
      const asked = new Map<string, Promise<Ending>>()
      return {
        openElicitation(elicitations, principal, scopes) {
          const opened = defaults.openElicitation(elicitations, principal, scopes)
          const same = elicitations.pending().find(({ owner }) => owner === opened.owner)
          if (same === undefined || same.id === opened.id) return opened
          opened.settle({ kind: 'abandoned', failure: new CallFailure('cancelled') })
          return same
        },
        askByRequest(asking, parts) {
          const { id } = asking.elicitation
          const waiting = asked.get(id) ?? defaults.askByRequest(asking, parts)
          asked.set(id, waiting)
          return waiting
        },
      }
    },
  },
  {
    id: 'one-call-at-a-time',
    description: 'while a user is asked for one call, their other calls are refused in words',
    permitted: `${spec}, Implementation Considerations: how elicitations are counted is left open`,
    touches: ['connect-and-complete', 'two-sessions', 'state-of-another-flow'],
    parts: (defaults) => ({
      openElicitation(elicitations, principal, scopes) {
        const opened = defaults.openElicitation(elicitations, principal, scopes)
        const others = elicitations.pending().filter(({ id }) => id !== opened.id)
        if (others.every(({ owner }) => owner !== opened.owner)) return opened
        opened.settle(abandoned('cancelled'))
        throw new CallFailure('cancelled', 'Another call of yours waits for you.')
      },
    }),
  },
  {
    id: 'asks-no-more-after-a-decline',
    description: 'whoever has declined is not asked again, and their calls end in words',
    permitted: `${spec}, Response Actions: an explicit decline is handled, for example by alternatives`,
    touches: ['connect-and-complete', 'answered-with-decline', 'declined-link-opened'],
    parts: ({ sendElicitation }) => {
      const declined = new Set<string>()
      return {
        async sendElicitation(asking, signal) {
          const { owner } = asking.elicitation
          if (declined.has(owner)) return { action: 'decline' }
          const answer = await sendElicitation(asking, signal)
          if (answer.action === 'decline') declined.add(owner)
          return answer
        },
      }
    },
  },
  {
    id: 'another-call-asked-for',
    description: 'no call waits: its user is told in plain text to call again when they are done',
    permitted: `${spec}, URL Mode: accept does not mean that the interaction is complete`,
    touches: [
      'connect-and-complete',
      'accept-only',
      'denied-at-the-provider',
      'exchange-never-answered',
      'error-with-state-missing',
    ],
    parts: (defaults) =>
      agreedThenCalledAgain(defaults, 'Call again when you are done in the browser.'),
  },
  {
    id: 'does-not-wait-for-its-client',
    description: 'the call ends as soon as its user has been asked, before the client has answered',
    permitted: `${spec}, URL Mode: nothing is said of what becomes of the call meanwhile`,
    touches: [
      'connect-and-complete',
      'answered-with-decline',
      'answered-with-error',
      'answered-by-another',
      'declined-link-opened',
      'denied-at-the-provider',
      'two-sessions',
    ],
    parts: (defaults) =>
      calledAgain(defaults, 'Sign in first.', async (asking, parts) => {
        void refused(asking, parts, new AbortController().signal)
      }),
  },
  {
    id: 'asks-when-the-call-has-ended',
    description:
      'the call ends at once with the words to sign in, and its user is asked after that, on the stream of no call',
    permitted:
      'MCP 2025-11-25 Streamable HTTP, Listening for Messages from the Server: its requests SHOULD be unrelated to any that runs',
    touches: [
      'connect-and-complete',
      'accept-only',
      'answered-with-decline',
      'answered-with-error',
      'answered-by-another',
      'declined-link-opened',
      'denied-at-the-provider',
      'two-sessions',
      'stored-token',
      'grant-revoked',
    ],
    parts: (defaults) =>
      calledAgain(defaults, 'Sign in first.', async (asking, parts) => {
        const { sendElicitation } = onGetStream()
        void pause(100).then(() =>
          refused(asking, { ...parts, sendElicitation }, new AbortController().signal),
        )
      }),
  },
  {
    id: 'same-elicitation-fresh-state',
    description:
      'who dismisses the prompt is asked once more: the same elicitation, with a fresh state in its URL',
    permitted: `${spec}, Response Actions: after cancel servers may prompt again`,
    touches: ['answered-with-cancel', 'whole-run'],
    parts: ({ sendElicitation }) => ({
      async sendElicitation(asking, signal) {
        const answer = await sendElicitation(asking, signal)
        if (answer.action !== 'cancel') return answer
        const url = new URL(asking.request.url)
        url.searchParams.set('fresh', crypto.randomUUID())
        const request = { ...asking.request, url: url.href }
        return sendElicitation({ ...asking, request }, signal)
      },
    }),
  },
  {
    id: 'results-with-a-status',
    description:
      'results have one form for all cases, and a status says how it went; no call waits',
    permitted: 'MCP Tools, Output Schema: structured results that conform to it',
    touches: ['connect-and-complete', 'accept-only', 'denied-at-the-provider'],
    parts: (defaults) => {
      const result = (status: string, items: unknown) => JSON.stringify({ status, items })
      return {
        ...agreedThenCalledAgain(defaults, result('sign in, then call again', [])),
        ...alterResults(defaults, (text) => result('listed', JSON.parse(text))),
      }
    },
  },
  {
    id: 'asked-in-another-language',
    description: 'the user is asked, and answered, in German',
    permitted: `${spec}, Elicitation Requests: a human-readable message`,
    touches: ['connect-and-complete', 'answered-with-decline'],
    parts: (defaults) => ({
      elicitationMessage: 'Bitte verbinden Sie Ihr Konto, damit Einträge gezeigt werden können. 🗂️',
      describeFailure: (error) => {
        const text =
          error instanceof CallFailure && error.code === 'no-url-mode'
            ? 'Dieses Programm kann keine Adressen öffnen (elicitation.url).'
            : 'Das ging leider nicht.'
        return { ...defaults.describeFailure(error), content: [{ type: 'text', text }] }
      },
    }),
  },
  {
    id: 'elicitation-id-is-a-urn',
    description: 'ids of elicitations are URNs with characters beyond ASCII',
    permitted: `${spec}, URL Mode: a unique identifier, of any form`,
    touches: ['connect-and-complete', 'two-sessions'],
    parts: (defaults) => renameIds(defaults, urn),
  },
  {
    id: 'elicitation-ids-are-counted',
    description: 'every server that is started counts its elicitations from one',
    permitted: `${spec}, URL Mode: a unique identifier; another server knows nothing of it`,
    touches: ['connect-and-complete', 'two-sessions', 'refresh-then-restart'],
    parts: (defaults) => renameIds(defaults, counting()),
  },
  {
    id: 'asks-after-three-seconds',
    description: 'the user is asked three seconds after the call came',
    permitted: 'MCP: nothing is said of how quickly a server answers',
    touches: ['connect-and-complete', 'form-only'],
    parts: (defaults) => ({
      async elicitationUrl(ways) {
        await pause(3000)
        return defaults.elicitationUrl(ways)
      },
    }),
  },
  {
    id: 'much-is-said-between',
    description: 'before the request and before the result: pings, progress, changed lists',
    permitted:
      'MCP 2025-11-25 Streamable HTTP: messages that relate to the request MAY come before',
    touches: ['connect-and-complete', 'answered-with-decline'],
    parts: (defaults) => chatty(defaults),
  },
  {
    id: 'form-with-an-example',
    description: 'a client that shows forms alone is asked which address to use, with an example',
    permitted: `${spec}, Safe URL Handling: SHOULD NOT include URLs that are intended to be clickable`,
    touches: ['form-only', 'empty-elicitation', 'whole-run'],
    parts: (defaults) => ({
      supportsUrlMode: (call) => showsForms(call) || defaults.supportsUrlMode(call),
      async askByRequest(asking, parts) {
        if (!showsForms(asking.call)) return defaults.askByRequest(asking, parts)
        const description = 'Base URL, e.g. https://items.example.com'
        await showForm(asking, 'Where are your items?', {
          base: { type: 'string', format: 'uri', description },
        })
        throw new CallFailure('no-url-mode')
      },
    }),
  },
]

/** The error lists both, and no call is served before its user has agreed to the terms. */
function listingTerms(
  defaults: Parts,
  order: (authorization: Asking, terms: Asking) => readonly Asking[],
): Partial<Parts> {
  const terms = termsOf(defaults)
  const missing = new Map<string, Asking>()
  const requiring = (askings: readonly Asking[]) => {
    for (const each of askings) void completeWhenDone(each)
    return new UrlElicitationRequiredError(askings.map(({ request }) => request))
  }
  return {
    ...terms.parts,
    describeFailure: rethrowRequired(defaults),
    async askByRequest(asking) {
      const own = terms.ask(asking)
      if (own) missing.set(asking.elicitation.owner, own)
      throw requiring(own ? order(asking, own) : [asking])
    },
    describeItems(call, items) {
      const own = missing.get(ownerOf(call.principal) ?? '')
      if (own?.elicitation.pending()) throw requiring([own])
      return defaults.describeItems(call, items)
    },
  }
}

/** Whether a client of the sessions can show forms and nothing else; an empty capability says so, too. */
function showsForms({ era, capabilities }: Asking['call']): boolean {
  const { elicitation } = fieldsOf(capabilities)
  return era === 'legacy' && elicitation !== undefined && fieldsOf(elicitation)['url'] === undefined
}

/** Elicitations go by other ids, in what asks for them as in what says that they are complete. */
function renameIds(defaults: Parts, rename: (id: unknown) => string): Partial<Parts> {
  return {
    ...alterElicitation((params) => ({
      ...params,
      elicitationId: rename(params['elicitationId']),
    })),
    notifyComplete: (call, elicitation) =>
      defaults.notifyComplete(call, { ...elicitation, id: rename(elicitation.id) }),
  }
}

/** The first id becomes 1, the next one 2. */
function counting(): (id: unknown) => string {
  const numbers = new Map<unknown, string>()
  return (id) => {
    const known = numbers.get(id) ?? `${numbers.size + 1}`
    numbers.set(id, known)
    return known
  }
}

function urn(id: unknown): string {
  return `urn:items:é/${String(id)}`
}

/** No call waits for what its user does in the browser; what the provider refused is told by the next one. */
function calledAgain(
  defaults: Parts,
  text: string,
  ask: (asking: Asking, parts: AskingParts) => Promise<void>,
): Partial<Parts> {
  const denied = new Map<string, CallFailure>()
  const later = new CallFailure('cancelled')
  return {
    openElicitation(elicitations, principal, scopes) {
      const opened = defaults.openElicitation(elicitations, principal, scopes)
      const failure = denied.get(opened.owner)
      denied.delete(opened.owner)
      if (failure) opened.settle({ kind: 'refused', failure })
      return opened
    },
    async askByRequest(asking, parts) {
      const { elicitation, call } = asking
      if (!elicitation.pending()) return elicitation.ended
      void elicitation.ended.then((ending) => {
        if (ending.kind === 'refused') denied.set(elicitation.owner, ending.failure)
        if (ending.kind !== 'abandoned') void complete(call, elicitation.id)
      })
      await ask(asking, parts)
      throw later
    },
    describeFailure: (error) =>
      error === later ? { content: [{ type: 'text', text }] } : defaults.describeFailure(error),
  }
}

/** A call waits for the answer of its client, and for nothing else. */
function agreedThenCalledAgain(defaults: Parts, text: string): Partial<Parts> {
  return calledAgain(defaults, text, async (asking, parts) => {
    const refusal = await refused(asking, parts, asking.call.context.mcpReq.signal)
    if (refusal !== undefined) throw new CallFailure(refusal)
  })
}

/** Asks the client, and ends the elicitation where its user does not agree: why, if so. */
async function refused(
  asking: Asking,
  parts: AskingParts,
  signal: AbortSignal,
): Promise<'declined' | 'cancelled' | 'client-failed' | undefined> {
  const refusal = await parts
    .sendElicitation(asking, signal)
    .then(parts.refusalOf, () => 'client-failed' as const)
  if (refusal !== undefined) asking.elicitation.settle(abandoned(refusal))
  return refusal
}

/** Tells the session when the user is done, although the call has ended. */
async function completeWhenDone({ call, elicitation }: Asking): Promise<void> {
  const ending = await elicitation.ended
  if (ending.kind !== 'abandoned') await complete(call, elicitation.id)
}

/** On the stream that belongs to no call; nobody may be there any more. */
async function complete({ server }: Asking['call'], elicitationId: string): Promise<void> {
  const method = 'notifications/elicitation/complete'
  await server.server.notification({ method, params: { elicitationId } }).catch(() => {})
}

function chatty(defaults: Parts) {
  const talk = async ({ context }: Asking['call'], progress: number) => {
    const { send, notify, _meta: meta } = context.mcpReq
    const ping = send({ method: 'ping' }).catch(() => {})
    await notify({ method: 'notifications/tools/list_changed' })
    if (meta?.progressToken !== undefined) {
      const params = { progressToken: meta.progressToken, progress, total: 2 }
      await notify({ method: 'notifications/progress', params })
    }
    await ping
  }
  return {
    async sendElicitation(asking, signal): Promise<ElicitResult> {
      await talk(asking.call, 1)
      return defaults.sendElicitation(asking, signal)
    },
    async notifyComplete(call, elicitation) {
      await defaults.notifyComplete(call, elicitation)
      await talk(call, 2)
    },
  } satisfies Partial<Parts>
}
