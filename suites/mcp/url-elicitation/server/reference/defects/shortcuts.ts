/** Defects of a server that takes the shorter way. */

import { abandoned } from '../elicitations.ts'
import { CallFailure } from '../failure.ts'
import type { Defect } from './defect.ts'
import { alterElicitation, pause } from './alter.ts'

const emptyList = { content: [{ type: 'text' as const, text: '[]' }] }

export const shortcutDefects: readonly Defect[] = [
  {
    id: 'denial-is-an-empty-list',
    description: 'a user who denied at the provider gets an empty list, as if there were no items',
    parts: (defaults) => ({
      describeFailure: (error) =>
        error instanceof CallFailure && error.code === 'authorization-denied'
          ? emptyList
          : defaults.describeFailure(error),
    }),
  },
  {
    id: 'waiting-is-an-empty-list',
    description:
      'a user who agreed and has not logged in within two seconds and a half gets an empty list',
    parts(defaults) {
      const come = new Set<string>()
      const late = new WeakSet<object>()
      return {
        async exchangeLogin(...exchange) {
          const subject = await defaults.exchangeLogin(...exchange)
          come.add(subject)
          return subject
        },
        async interaction(elicitation) {
          const { principal } = elicitation
          const first = await Promise.race([defaults.interaction(elicitation), pause(2500)])
          if (first) return first
          const hasCome = principal.kind === 'user' && come.has(principal.subject)
          if (hasCome) return defaults.interaction(elicitation)
          const ending = abandoned('cancelled')
          if (ending.kind === 'abandoned') late.add(ending.failure)
          return ending
        },
        describeFailure: (error) =>
          error instanceof CallFailure && late.has(error)
            ? emptyList
            : defaults.describeFailure(error),
      }
    },
  },
  {
    id: 'agreed-is-an-empty-list',
    description: 'a user who agreed gets an empty list at once, and the link leads nowhere',
    parts: (defaults) => {
      const agreed = new CallFailure('cancelled')
      return {
        async askByRequest(asking, parts) {
          const { elicitation, call } = asking
          const answer = await parts.sendElicitation(asking, call.context.mcpReq.signal)
          const refusal = parts.refusalOf(answer)
          elicitation.settle(abandoned('cancelled'))
          throw refusal === undefined ? agreed : new CallFailure(refusal)
        },
        describeFailure: (error) =>
          error === agreed ? emptyList : defaults.describeFailure(error),
      }
    },
  },
  {
    id: 'missing-input-refused',
    description: 'a retry that lacks the input is answered by an error (2026-07-28)',
    parts: (defaults) => ({
      isStateOf(call, state) {
        if (call.context.mcpReq.inputResponses === undefined) throw new CallFailure('state-refused')
        return defaults.isStateOf(call, state)
      },
    }),
  },
  {
    id: 'link-without-tls',
    description: 'the URL is one of plain http at a host that is not this machine',
    parts: () =>
      alterElicitation(({ url, ...params }) => {
        const { pathname, search } = new URL(String(url))
        return { ...params, url: `http://items.example${pathname}${search}` }
      }),
  },
]
