/** Defects on the way to the tool: discovery, the invocation, and what happens when it is not taken. */

import { createHash } from 'node:crypto'

import type { Exchange } from '../exchange.ts'
import type { Arguments, Invocation } from '../invocation.ts'
import type { Parts } from '../parts.ts'
import type { Toolset } from '../toolset.ts'
import { alterHistory, alterInvocations, countIds } from './alter.ts'
import type { Defect } from './defect.ts'

export const invocationDefects: readonly Defect[] = [
  {
    id: 'toolset-configured-by-hand',
    description: 'the tools are written down in the configuration instead of discovered',
    parts: () => ({
      fetchToolset: async (base, settings) => ({
        status: 200,
        text: JSON.stringify(toolsetByHand(base, settings.toolsets.indexOf(base))),
      }),
    }),
  },
  {
    id: 'second-toolset-by-hand',
    description: 'the first toolset is discovered, the others are written down',
    parts: (defaults) => ({
      async fetchToolset(base, settings, exchange) {
        const index = settings.toolsets.indexOf(base)
        if (index === 0) return defaults.fetchToolset(base, settings, exchange)
        return { status: 200, text: JSON.stringify(toolsetByHand(base, index)) }
      },
    }),
  },
  {
    id: 'discovery-at-the-root',
    description:
      'discovery documents are fetched from the root of the host, whatever the base URL is',
    parts: (defaults) => ({
      fetchToolset: (base, settings, exchange) =>
        defaults.fetchToolset(new URL(base).origin, settings, exchange),
    }),
  },
  {
    id: 'toolsets-fetched-once',
    description: 'toolsets are fetched once, for all conversations that there will be',
    parts: (defaults) => {
      const fetched = new Map<string, ReturnType<Parts['fetchToolset']>>()
      return {
        fetchToolset(base, settings, exchange) {
          const known = fetched.get(base) ?? defaults.fetchToolset(base, settings, exchange)
          fetched.set(base, known)
          return known
        },
      }
    },
  },
  {
    id: 'toolsets-not-validated',
    description: 'a toolset is taken as it comes, whatever is wrong with it',
    parts: () => ({ parseToolset: (base, text) => ({ ...JSON.parse(text), base }) as Toolset }),
  },
  {
    id: 'tools-complete-not-valid',
    description:
      'of the tools of a toolset it is looked whether they are complete, not at what they say',
    parts: ({ parseToolset }) => ({
      parseToolset(base, text) {
        const document = JSON.parse(text) as Toolset
        const [first] = document.tools
        const isComplete = document.tools.every(
          ({ name, description, inputSchema }) => name && description && inputSchema,
        )
        const toolset = parseToolset(base, JSON.stringify({ ...document, tools: [first] }))
        return toolset && isComplete ? { ...toolset, tools: document.tools } : undefined
      },
    }),
  },
  {
    id: 'colliding-tools-taken',
    description: 'of tools with one name the first one is made available',
    parts: ({ combineToolsets }) => ({
      combineToolsets(toolsets) {
        const known = new Set<string>()
        const isNew = (name: string): boolean => !known.has(name) && Boolean(known.add(name))
        return combineToolsets(
          toolsets.map(({ tools, ...toolset }) => ({
            ...toolset,
            tools: tools.filter(({ name }) => isNew(name)),
          })),
        )
      },
    }),
  },
  {
    id: 'endpoint-guessed',
    description: 'tools are invoked at /invoke of their toolset, whatever its endpoint is',
    parts: (defaults) => ({
      parseToolset(base, text) {
        const toolset = defaults.parseToolset(base, text)
        return toolset && { ...toolset, endpoint: `${base}/invoke` }
      },
    }),
  },
  // ------------------------------------------------------------- the message
  {
    id: 'invocation-as-plain-text',
    description: 'invocations are sent as text/plain',
    parts: (defaults) =>
      alterRequests(defaults, (body) => ({ body, headers: { 'content-type': 'text/plain' } })),
  },
  {
    id: 'invocation-by-put',
    description: 'invocations are sent by PUT',
    parts: (defaults) => alterRequests(defaults, (body) => ({ body, method: 'PUT' })),
  },
  {
    id: 'thread-ancestors-as-text',
    description: 'thread_ancestors is an empty text where the conversation has no ancestors',
    parts: (defaults) => alterInvocations(defaults, () => ({ thread_ancestors: '' })),
  },
  {
    id: 'user-id-as-number',
    description: 'user_id is a number',
    parts: (defaults) => alterInvocations(defaults, () => ({ user_id: 42 })),
  },
  {
    id: 'one-user-id-for-all',
    description: 'user_id is the name of the runtime, whoever its user is',
    parts: (defaults) => alterInvocations(defaults, () => ({ user_id: 'rap-runtime' })),
  },
  {
    id: 'user-id-in-lower-case',
    description: 'user_id is the name of the user in lower case',
    parts: (defaults) =>
      alterInvocations(defaults, ({ user_id }) => ({ user_id: user_id?.toLowerCase() ?? null })),
  },
  {
    id: 'user-id-without-domain',
    description: 'user_id is the name of the user as far as an "@" in it',
    parts: (defaults) =>
      alterInvocations(defaults, ({ user_id }) => ({ user_id: user_id?.split('@')[0] ?? null })),
  },
  {
    id: 'user-id-of-the-last-speaker',
    description: 'user_id is that of whoever spoke last, in whichever conversation',
    parts(defaults) {
      let last: string | null = null
      return {
        historyForModel(messages, informModel) {
          last = messages.findLast(({ role }) => role === 'user')?.userId ?? last
          return defaults.historyForModel(messages, informModel)
        },
        ...alterInvocations(defaults, () => ({ user_id: last })),
      }
    },
  },
  {
    id: 'operation-with-prefix',
    description: 'operation carries the name of the toolset before that of the tool',
    parts: (defaults) =>
      alterInvocations(defaults, ({ operation }) => ({ operation: `tools__${operation}` })),
  },
  {
    id: 'arguments-enriched',
    description: 'the arguments get a field that the model did not write',
    parts: (defaults) =>
      alterInvocations(defaults, (invocation) => ({
        arguments: { ...invocation.arguments, locale: 'en' },
      })),
  },
  {
    id: 'arguments-left-out',
    description: 'invocations have no arguments, whatever the model wrote',
    parts: (defaults) => alterInvocations(defaults, () => ({ arguments: {} })),
  },
  {
    id: 'inner-arguments-as-text',
    description: 'objects and lists within the arguments are sent as JSON texts',
    parts: (defaults) =>
      alterInvocations(defaults, (invocation) => ({
        arguments: Object.fromEntries(
          Object.entries(invocation.arguments).map(([name, value]) => [
            name,
            typeof value === 'object' ? JSON.stringify(value) : value,
          ]),
        ),
      })),
  },
  {
    id: 'null-arguments-dropped',
    description: 'what is null within the arguments is left out',
    parts: (defaults) =>
      alterInvocations(defaults, (invocation) => {
        const text = JSON.stringify(invocation.arguments, (_, value: unknown) => value ?? undefined)
        return { arguments: JSON.parse(text) as Arguments }
      }),
  },
  {
    id: 'empty-arguments-dropped',
    description: 'arguments that are null, an empty text or an empty list are left out',
    parts: (defaults) =>
      alterInvocations(defaults, (invocation) => ({
        arguments: Object.fromEntries(
          Object.entries(invocation.arguments).filter(
            ([, value]) => !['null', '""', '[]'].includes(JSON.stringify(value)),
          ),
        ),
      })),
  },
  {
    id: 'arguments-normalised',
    description: 'texts within the arguments are brought into the composed form of Unicode',
    parts: (defaults) =>
      alterInvocations(defaults, (invocation) => ({
        arguments: JSON.parse(JSON.stringify(invocation.arguments).normalize('NFC')) as Arguments,
      })),
  },
  {
    id: 'ids-count-from-one-after-a-restart',
    description: 'ids of calls count from one in every process',
    parts: () => countIds(() => 'all'),
  },
  {
    id: 'ids-count-from-one-in-every-turn',
    description: 'ids of calls count from one in every turn of a conversation',
    parts: () => countIds(({ turn }) => turn),
  },
  {
    id: 'ids-of-tool-and-arguments',
    description: 'the id of a call is a digest of its tool and its arguments',
    parts: () => ({
      newId: ({ tool, rawArguments }) =>
        `call_${createHash('sha256').update(`${tool} ${rawArguments}`).digest('hex')}`,
    }),
  },
  {
    id: 'callback-url-relative',
    description: 'callback_url has neither scheme nor host',
    parts: (defaults) =>
      alterInvocations(defaults, ({ callback_url: url }) => ({
        callback_url: new URL(url).pathname,
      })),
  },
  {
    id: 'callback-url-not-found',
    description: 'callback_url leads to a path that nobody serves',
    parts: (defaults) =>
      alterInvocations(defaults, ({ callback_url: url }) => ({
        callback_url: url.replace('/callbacks/', '/api/callbacks/'),
      })),
  },
  // ------------------------------------------------------------- how it is taken
  {
    id: 'invocation-retried-on-4xx',
    description: 'an invocation that was refused with 4xx is sent again',
    parts: () => ({
      shouldRetryInvocation: (status) => typeof status === 'string' || status >= 400,
    }),
  },
  {
    id: 'invocation-retried-on-429',
    description: 'an invocation that was refused with 408, 425 or 429 is sent again',
    parts: (defaults) => ({
      shouldRetryInvocation: (status, attempt) =>
        [408, 425, 429].includes(Number(status)) || defaults.shouldRetryInvocation(status, attempt),
    }),
  },
  {
    id: 'invocation-retried-on-4xx-after-5xx',
    description:
      'an invocation that was sent again is sent once more whatever the answer, also 4xx',
    parts: (defaults) => ({
      shouldRetryInvocation: (status, attempt) =>
        attempt > 1 || defaults.shouldRetryInvocation(status, attempt),
    }),
  },
  {
    id: 'invocation-resent-after-401',
    description:
      'an invocation that was refused with 401 or 404 is sent again, as after a new login',
    parts: (defaults) => ({
      shouldRetryInvocation: (status, attempt) =>
        [401, 404].includes(Number(status)) || defaults.shouldRetryInvocation(status, attempt),
    }),
  },
  {
    id: 'invocation-resent-when-late',
    description: 'an invocation that is not acknowledged at once is sent again, called back or not',
    parts: (defaults) => ({
      async postInvocation(...invoked) {
        const again = setTimeout(() => void defaults.postInvocation(...invoked), 700)
        return defaults.postInvocation(...invoked).finally(() => clearTimeout(again))
      },
    }),
  },
  {
    id: 'call-opened-again-by-its-acknowledgement',
    description: 'an acknowledgement that comes after the result makes the call pending again',
    parts: (defaults) => {
      const ended = new Map<string, number>()
      const open = new Set<string>()
      return {
        injectResult(store, call, text) {
          ended.set(call.id, Date.now())
          defaults.injectResult(store, call, text)
        },
        async postInvocation(...invoked) {
          const acknowledgement = await defaults.postInvocation(...invoked)
          // Where the two come at once, which of them is first is chance.
          const end = ended.get(invoked[0].id)
          if (end !== undefined && Date.now() - end > 300) open.add(invoked[0].id)
          return acknowledgement
        },
        matchCallback(message, call) {
          const match = defaults.matchCallback(message, call)
          return match === 'duplicate' && call && open.has(call.id) ? 'accepted' : match
        },
      }
    },
  },
  {
    id: 'failed-acknowledgement-over-result',
    description:
      'an invocation that is answered 5xx is a call that has failed, also where its result has come',
    parts(defaults) {
      const failed = new Set<string>()
      return {
        async postInvocation(invocation, ...rest) {
          const acknowledgement = await defaults.postInvocation(invocation, ...rest)
          if (Number(acknowledgement) >= 500) failed.add(invocation.call_id)
          else failed.delete(invocation.call_id)
          return acknowledgement
        },
        ...alterHistory(defaults, (history) =>
          history.map((message) =>
            message.role === 'tool' && failed.has(message.tool_call_id)
              ? { ...message, content: 'Error: The tool could not be called.' }
              : message,
          ),
        ),
      }
    },
  },
  {
    id: 'retry-delay-shrinks',
    description: 'each delay between two attempts is half of the one before',
    parts: () => ({ retryDelay: (attempt) => 2_400 / 2 ** attempt }),
  },
  {
    id: 'arguments-lost-when-retried',
    description: 'another attempt at an invocation has the reference alone of its arguments',
    parts: (defaults) =>
      alterAttempts(defaults, ({ arguments: { reference } }) => ({ arguments: { reference } })),
  },
  {
    id: 'user-lost-when-retried',
    description: 'another attempt at an invocation has no user_id',
    parts: (defaults) => alterAttempts(defaults, () => ({ user_id: null })),
  },
  {
    id: 'id-made-anew-when-retried',
    description: 'each attempt at an invocation has an id of its own, and the first one is kept',
    parts: (defaults) => alterAttempts(defaults, ({ id }) => ({ id: `${id}-again` })),
  },
  {
    id: 'undeliverable-not-reported',
    description: 'an invocation that could not be delivered is logged, and the model told nothing',
    parts: () => ({ reportUndeliverable: () => {} }),
  },
  {
    id: 'failed-invocation-reported-only',
    description: 'an invocation that was not taken is reported to the model and never sent again',
    parts: () => ({ shouldRetryInvocation: () => false }),
  },
  {
    id: 'failed-invocation-forgotten',
    description: 'an invocation that was not taken is neither sent again nor reported',
    parts: () => ({ shouldRetryInvocation: () => false, reportUndeliverable: () => {} }),
  },
]

/** Changes the request that carries an invocation. */
function alterRequests(
  defaults: Parts,
  change: (body: string) => RequestInit & { readonly body: string },
) {
  return {
    async postInvocation(invocation, target, settings, exchange) {
      const request = {
        headers: { 'content-type': 'application/json' },
        ...change(JSON.stringify(invocation)),
      }
      const status: Exchange['status'] = async ({ url, timeoutMs }) => {
        const answer = await fetch(url, {
          method: 'POST',
          ...request,
          signal: AbortSignal.timeout(timeoutMs),
        })
        return answer.status
      }
      return defaults.postInvocation(invocation, target, settings, { ...exchange, status })
    },
  } satisfies Partial<Parts>
}

function toolsetByHand(base: string, index: number): object {
  const tool = {
    name: ['workspace_list_items', 'workspace_list_notes'][index],
    description: 'Lists what the user has.',
    inputSchema: { type: 'object', properties: { reference: { type: 'string' } } },
  }
  const endpoint = base + ['/invoke', '/invocations'][index]
  return { name: `toolset-${index}`, endpoint, tools: [tool] }
}

/** Changes what another attempt at an invocation says. */
function alterAttempts(
  defaults: Parts,
  change: (invocation: Invocation) => Partial<Invocation>,
): Partial<Parts> {
  const sent = new Set<string>()
  return {
    postInvocation(invocation, ...rest) {
      const again = sent.has(invocation.id)
      sent.add(invocation.id)
      const changed = again ? { ...invocation, ...change(invocation) } : invocation
      return defaults.postInvocation(changed, ...rest)
    },
  }
}
