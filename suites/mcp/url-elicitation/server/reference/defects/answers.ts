/** Defects of what is made of the client's answer, and of what it is told afterwards. */

import {
  isJSONRPCResponse,
  type ElicitResult,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

import type { Elicitation } from '../elicitations.ts'
import { CallFailure } from '../failure.ts'
import type { Call } from '../mcp/call.ts'
import type { Parts } from '../parts.ts'
import type { Defect } from './defect.ts'
import { alterMessages, forever, messageIn, pause } from './alter.ts'

type Transport = WebStandardStreamableHTTPServerTransport

export const answerDefects: readonly Defect[] = [
  {
    id: 'accept-taken-for-done',
    description: 'when the user has accepted, the call succeeds, whatever happens in the browser',
    parts: (defaults) => ({
      interaction: async () => ({ kind: 'authorized' }),
      describeFailure: (error) =>
        error instanceof CallFailure && error.code === 'token-refused'
          ? { content: [{ type: 'text', text: 'Authorized. Your items are available now.' }] }
          : defaults.describeFailure(error),
    }),
  },
  {
    id: 'decline-ignored',
    description: 'a user who declines is waited for like one who accepts',
    parts: (defaults) => ({
      refusalOf: (answer) => (answer.action === 'decline' ? undefined : defaults.refusalOf(answer)),
    }),
  },
  {
    id: 'cancel-ignored',
    description: 'a user who cancels is waited for like one who accepts',
    parts: (defaults) => ({
      refusalOf: (answer) => (answer.action === 'cancel' ? undefined : defaults.refusalOf(answer)),
    }),
  },
  {
    id: 'refused-call-hangs',
    description: 'a call whose user declines or cancels is never answered',
    parts: (defaults) => ({
      askByRequest: (asking, parts) =>
        defaults
          .askByRequest(asking, parts)
          .catch((error: unknown) => (isRefusal(error) ? forever() : Promise.reject(error))),
    }),
  },
  {
    id: 'asked-until-accepted',
    description: 'a user who declines or cancels is asked again at once, until they accept',
    parts: (defaults) => ({
      async sendElicitation(asking, signal) {
        for (;;) {
          const answer = await defaults.sendElicitation(asking, signal)
          if (answer.action === 'accept') return answer
        }
      },
    }),
  },
  {
    id: 'client-error-ignored',
    description: 'a client that answers with an error is taken for one that accepts',
    parts: (defaults) => ({
      sendElicitation: (asking, signal) =>
        defaults.sendElicitation(asking, signal).catch(() => ({ action: 'accept' as const })),
    }),
  },
  {
    id: 'declined-link-works',
    description: 'a link that was declined still leads to the provider, and its code is redeemed',
    parts: (defaults) => ({
      openElicitation(...args) {
        const elicitation = defaults.openElicitation(...args)
        return {
          ...elicitation,
          settle: (ending) =>
            ending.kind === 'abandoned' ? undefined : elicitation.settle(ending),
        }
      },
    }),
  },
  {
    id: 'cancelled-link-works',
    description: 'a link whose user dismissed the prompt still leads to the provider',
    parts: (defaults) => stayingPending(defaults, (answer) => answer?.action === 'cancel'),
  },
  {
    id: 'failed-link-works',
    description: 'a link that the client could not process still leads to the provider',
    parts: (defaults) => stayingPending(defaults, (answer) => answer === undefined),
  },
  {
    id: 'declined-flow-goes-on',
    description: 'what was declined while its user was at the provider is redeemed all the same',
    parts: (defaults) => {
      const [begun, declined] = [new Set<string>(), new Set<string>()]
      return {
        sendToProvider(http, url) {
          begun.add(http.req.query('elicitation') ?? '')
          return defaults.sendToProvider(http, url)
        },
        async sendElicitation(asking, signal) {
          const answer = await defaults.sendElicitation(asking, signal)
          if (answer.action === 'decline') declined.add(asking.elicitation.id)
          return answer
        },
        isPending: (elicitation) =>
          defaults.isPending(elicitation) ||
          (begun.has(elicitation.id) && declined.has(elicitation.id)),
      }
    },
  },
  {
    id: 'pending-requests-shared',
    description: 'what waits for an answer is kept by its id alone, whichever session brings it',
    parts: (defaults) => sharingPending(defaults, () => true),
  },
  {
    id: 'pending-requests-of-the-user',
    description: 'what waits for an answer takes that of any client of the same user',
    parts: (defaults) => sharingPending(defaults, (asked, answering) => asked === answering),
  },
  {
    id: 'session-open-to-other-users',
    description: 'whoever has a token may go on in any session, as the user of that token',
    parts: () => ({ ownsSession: () => true }),
  },
  // ------------------------------------------------------------- complete
  {
    id: 'complete-at-opening',
    description: 'the interaction is taken for complete as soon as the link is opened',
    parts: (defaults) => {
      const opened = new Map<string, Elicitation>()
      return {
        openElicitation(...args) {
          const elicitation = defaults.openElicitation(...args)
          opened.set(elicitation.id, elicitation)
          return elicitation
        },
        async sendToProvider(http, url) {
          opened.get(http.req.query('elicitation') ?? '')?.settle({ kind: 'authorized' })
          // Long before its user is at the provider the call has ended.
          await pause(200)
          return defaults.sendToProvider(http, url)
        },
      }
    },
  },
  {
    id: 'complete-of-nothing-too',
    description: 'beside the right one, complete is sent for an id that nobody was given',
    parts: (defaults) => ({
      async notifyComplete(call, elicitation) {
        await defaults.notifyComplete(call, elicitation)
        await defaults.notifyComplete(call, { ...elicitation, id: 'items' })
      },
    }),
  },
  {
    id: 'complete-at-acceptance',
    description: 'complete is sent as soon as the user has accepted',
    parts: (defaults) => ({
      async sendElicitation(asking, signal) {
        const answer = await defaults.sendElicitation(asking, signal)
        if (answer.action === 'accept')
          await defaults.notifyComplete(asking.call, asking.elicitation)
        return answer
      },
      notifyComplete: async () => {},
    }),
  },
  {
    id: 'complete-to-all-sessions',
    description: 'complete goes to every session there is',
    parts: (defaults) => {
      const sessions = rememberTransports()
      return {
        createTransport: (options) => sessions.remember(defaults.createTransport(options)),
        async notifyComplete(call, elicitation) {
          await sessions.send(elicitation.id, (all) => all)
          await defaults.notifyComplete(call, elicitation)
        },
      }
    },
  },
  {
    id: 'complete-to-every-client-of-the-user',
    description: 'complete goes to every session of the user, whichever client asked',
    parts: (defaults) => tellingTheUser(defaults, () => true),
  },
  {
    id: 'complete-to-all-who-wait',
    description:
      'when one user is done, all who wait are told that what they were asked is complete',
    parts: (defaults) => {
      const waiting = new Map<Elicitation, Call>()
      return {
        async askByRequest(asking, parts) {
          const { call, elicitation } = asking
          waiting.set(elicitation, call)
          return defaults.askByRequest(asking, parts).finally(() => waiting.delete(elicitation))
        },
        async notifyComplete() {
          await Promise.all(
            [...waiting].map(([elicitation, call]) => defaults.notifyComplete(call, elicitation)),
          )
        },
      }
    },
  },
  {
    id: 'complete-to-the-newest-client-of-the-user',
    description: 'complete goes to the session of the user that began last',
    parts: (defaults) => tellingTheUser(defaults, (_each, index, own) => index === own.length - 1),
  },
  {
    id: 'complete-without-id',
    description: 'complete names no elicitation',
    parts: (defaults) =>
      alterMessages(defaults, (message) =>
        message['method'] === 'notifications/elicitation/complete'
          ? { ...message, params: {} }
          : message,
      ),
  },
  {
    id: 'complete-with-another-id',
    description: 'complete names another elicitation',
    parts: (defaults) => ({
      notifyComplete: (call, elicitation) =>
        defaults.notifyComplete(call, { ...elicitation, id: crypto.randomUUID() }),
    }),
  },
]

function isRefusal(error: unknown): boolean {
  return error instanceof CallFailure && ['declined', 'cancelled'].includes(error.code)
}

/** An elicitation that was answered so stays pending; an error is no answer. */
function stayingPending(
  defaults: Parts,
  isSuch: (answer: ElicitResult | undefined) => boolean,
): Partial<Parts> {
  const kept = new Set<string>()
  return {
    async sendElicitation(asking, signal) {
      const { id } = asking.elicitation
      try {
        const answer = await defaults.sendElicitation(asking, signal)
        if (isSuch(answer)) kept.add(id)
        return answer
      } catch (error) {
        if (isSuch(undefined)) kept.add(id)
        throw error
      }
    },
    openElicitation(...args) {
      const elicitation = defaults.openElicitation(...args)
      return {
        ...elicitation,
        settle: (ending) =>
          ending.kind === 'abandoned' && kept.has(elicitation.id)
            ? undefined
            : elicitation.settle(ending),
      }
    },
  }
}

/** The sessions that began, and a way to reach them on the stream that belongs to no call. */
function rememberTransports() {
  const transports: Transport[] = []
  return {
    remember(transport: Transport): Transport {
      transports.push(transport)
      return transport
    },
    async send(
      elicitationId: string,
      choose: (all: readonly Transport[]) => readonly Transport[],
    ): Promise<void> {
      const method = 'notifications/elicitation/complete'
      for (const transport of choose(transports)) {
        await transport.send({ jsonrpc: '2.0', method, params: { elicitationId } })
      }
    },
  }
}

/** Tells sessions of the user, whichever of them asked. */
function tellingTheUser(
  defaults: Parts,
  isTold: (transport: Transport, index: number, own: readonly Transport[]) => boolean,
): Partial<Parts> {
  const sessions = rememberTransports()
  const subjects = new Map<Transport, unknown>()
  return {
    createTransport(options) {
      const transport = sessions.remember(defaults.createTransport(options))
      const handle = transport.handleRequest.bind(transport)
      transport.handleRequest = (request, more) => {
        subjects.set(transport, more?.authInfo?.extra?.['subject'])
        return handle(request, more)
      }
      return transport
    },
    notifyComplete: (_call, { id, principal }) =>
      sessions.send(id, (all) =>
        all
          .filter((each) => principal.kind === 'user' && subjects.get(each) === principal.subject)
          .filter(isTold),
      ),
  }
}

/** What waits for an answer is kept by its id, for whoever may answer: by the subjects of who was asked and who answers. */
function sharingPending(
  defaults: Parts,
  mayAnswer: (asked: unknown, answering: unknown) => boolean,
): Partial<Parts> {
  interface Waiting {
    readonly transport: Transport
    readonly id: RequestId
    readonly asked: unknown
  }
  const waiting = new Map<unknown, Waiting>()
  return {
    createTransport(options) {
      let subject: unknown
      const transport = defaults.createTransport(options)
      const send = transport.send.bind(transport)
      transport.send = (message, sending) => {
        if (!('method' in message && 'id' in message)) return send(message, sending)
        const id = crypto.randomUUID()
        waiting.set(id, { transport, id: message.id, asked: subject })
        return send({ ...message, id }, sending)
      }
      const handle = transport.handleRequest.bind(transport)
      transport.handleRequest = async (request, more) => {
        subject = more?.authInfo?.extra?.['subject']
        const body: unknown = await messageIn(request)
        const answer = isJSONRPCResponse(body) ? waiting.get(body.id) : undefined
        if (!answer || !isJSONRPCResponse(body)) return handle(request, more)
        if (mayAnswer(answer.asked, subject))
          answer.transport.onmessage?.({ ...body, id: answer.id })
        return new Response(null, { status: 202 })
      }
      return transport
    },
  }
}
