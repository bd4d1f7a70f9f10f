/** Defects that leave a call without the end that it is owed. */

import { CallFailure, type FailureCode } from '../failure.ts'
import type { Parts } from '../parts.ts'
import { alterResults, forever, pause } from './alter.ts'
import type { Defect } from './defect.ts'

export const failureDefects: readonly Defect[] = [
  {
    id: 'denial-shown-only',
    description: 'a denial is shown in the browser, and no result is sent',
    parts: (defaults) => swallow(defaults, 'authorization-denied'),
  },
  {
    id: 'first-denial-reported-only',
    description: 'of several denials by one user only the first is reported',
    parts: (defaults) => {
      const users = new Map<unknown, string | null>()
      const told = new Set<unknown>()
      return {
        newState(call) {
          users.set(call.id, call.userId)
          return defaults.newState(call)
        },
        async deliver(delivery, means) {
          const { id, text } = delivery.message
          const user = users.get(id)
          if (String(text).startsWith('Error: Authorization was denied') && user !== undefined) {
            if (told.has(user)) return true
            told.add(user)
          }
          return defaults.deliver(delivery, means)
        },
      }
    },
  },
  {
    id: 'denial-taken-for-silence',
    description: 'a callback without a code is ignored, so a denial ends only with the timeout',
    parts: () => ({ isAnswer: (query) => query.has('code') }),
  },
  {
    id: 'authorization-error-shown-only',
    description: 'an authorization error other than a denial is shown, and no result is sent',
    parts: (defaults) => swallow(defaults, 'authorization-failed'),
  },
  {
    id: 'refused-code-swallowed',
    description: 'when the provider refuses the code, no result is sent',
    parts: (defaults) => swallow(defaults, 'exchange-refused'),
  },
  {
    id: 'exchange-error-swallowed',
    description: 'when the token request fails, no result is sent',
    parts: (defaults) =>
      swallow(defaults, 'exchange-refused', 'client-refused', 'token-request-failed'),
  },
  {
    id: 'untrusted-response-swallowed',
    description: 'when the authorization response cannot be trusted, no result is sent',
    parts: (defaults) => swallow(defaults, 'authorization-rejected'),
  },
  {
    id: 'retry-error-swallowed',
    description: 'when the retried operation fails, no result is sent',
    parts: (defaults) => ({
      async resumeCall(retry, sendResult) {
        await defaults.resumeCall(retry, sendResult).catch(() => {})
      },
    }),
  },
  {
    id: 'api-failure-made-up',
    description: 'an API that fails is taken for one that has nothing',
    parts: (defaults) => ({
      async performOperation(...args) {
        try {
          return await defaults.performOperation(...args)
        } catch (error) {
          if (!isFailure(error, 'service-failed', 'service-unavailable')) throw error
          return { done: true, text: '[]' }
        }
      },
    }),
  },
  {
    id: 'failed-flow-made-up',
    description: 'a flow that failed gives an empty result, as if nothing were there',
    parts: (defaults) => failedFlowsTold(defaults, '[]'),
  },
  {
    id: 'failed-flow-told-as-done',
    description: 'every call ends with "Done.", one whose flow failed as well',
    parts: (defaults) => ({
      ...alterResults(defaults, (text) => (text.startsWith('Error: ') ? text : 'Done.')),
      ...failedFlowsTold(defaults, 'Done.'),
    }),
  },
  {
    id: 'provider-outage-swallowed',
    description: 'when the provider cannot be asked for anything, no message is sent',
    parts: (defaults) => swallow(defaults, 'provider-unavailable'),
  },
  {
    id: 'failed-refresh-swallowed',
    description:
      'when a token cannot be refreshed because the provider is down, no message is sent',
    parts: (defaults) => swallow(defaults, 'refresh-failed'),
  },
  {
    id: 'failure-with-stored-token-swallowed',
    description: 'when the operation fails with a stored token, no result is sent',
    parts: (defaults) => {
      const used = new Set<string>()
      return {
        async performOperation(api, request, accessToken) {
          const stored = used.has(accessToken)
          used.add(accessToken)
          try {
            return await defaults.performOperation(api, request, accessToken)
          } catch (error) {
            if (stored) return forever()
            throw error
          }
        },
      }
    },
  },
  {
    id: 'pending-timer-not-stopped-by-errors',
    description: 'the pending timeout sends its error although the call had ended by another one',
    parts: (defaults) => {
      const left = new Map<unknown, number>()
      return {
        claimFlow(flow, flows) {
          left.set(flow.call.id, flow.expiresAt - defaults.now())
          return defaults.claimFlow(flow, flows)
        },
        deliver(delivery, means) {
          const { id, text } = delivery.message
          const due = left.get(id)
          if (due !== undefined && String(text).startsWith('Error')) {
            const late = { ...delivery.message, text: 'Error: Authorization took too long.' }
            setTimeout(() => {
              void defaults.deliver({ ...delivery, message: late }, means)
            }, due).unref()
          }
          return defaults.deliver(delivery, means)
        },
      }
    },
  },
  {
    id: 'pending-timer-not-stopped',
    description: 'the pending timeout sends its error although the call was completed',
    parts: (defaults) => {
      const late = new Map<string, () => Promise<boolean>>()
      return {
        deliver(delivery, means) {
          const { id, type, ...ids } = delivery.message
          const text = 'Error: Authorization was not completed in time.'
          const message = { ...ids, id, type: 'tool_result', text }
          if (type === 'oauth')
            late.set(String(id), () => defaults.deliver({ ...delivery, message }, means))
          return defaults.deliver(delivery, means)
        },
        async claimFlow(flow, flows) {
          const claimed = await defaults.claimFlow(flow, flows)
          const timer = setTimeout(
            () => void late.get(flow.call.id)?.(),
            flow.expiresAt - defaults.now(),
          )
          timer.unref()
          return claimed
        },
      }
    },
  },
  {
    id: 'service-awaited-for-ever',
    description: 'an unreachable service is tried again for ever',
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        for (;;) {
          try {
            return await defaults.performOperation(api, request, accessToken)
          } catch (error) {
            if (!isFailure(error, 'service-unavailable')) throw error
            await pause(500)
          }
        }
      },
    }),
  },
  {
    id: 'refused-token-tried-for-ever',
    description: 'a token that the service refuses is tried again for ever',
    parts: (defaults) => ({
      async performOperation(api, request, accessToken) {
        for (;;) {
          const attempt = await defaults.performOperation(api, request, accessToken)
          if (attempt.done || attempt.refusal !== 'invalid_token') return attempt
          await pause(500)
        }
      },
    }),
  },
  {
    id: 'abandoned-call-never-ends',
    description: 'a call whose user never comes is forgotten when its time is up',
    parts: () => ({
      async expireFlow(flow, flows) {
        await flows.claim(flow)
      },
    }),
  },
  {
    id: 'timeout-later-than-declared',
    description: 'a call whose user never comes ends long after its time is up',
    parts: (defaults) => ({
      async expireFlow(flow, flows, fail) {
        await pause(8000)
        await defaults.expireFlow(flow, flows, fail)
      },
    }),
  },
  {
    id: 'second-authorization-lost',
    description: 'the operation is not carried out after a user has authorized once more',
    parts: (defaults) => {
      const before = new Set<string>()
      const renewed = new Set<string>()
      return {
        async deleteTokens(files, key) {
          before.add(key)
          await defaults.deleteTokens(files, key)
        },
        async saveTokens(files, key, tokens) {
          if (before.has(key)) renewed.add(tokens.accessToken)
          await defaults.saveTokens(files, key, tokens)
        },
        performOperation: (api, request, accessToken) =>
          renewed.has(accessToken)
            ? forever()
            : defaults.performOperation(api, request, accessToken),
      }
    },
  },
]

/** Every flow that fails ends with the same text. */
function failedFlowsTold(defaults: Parts, text: string): Partial<Parts> {
  const ofFlow = ['authorization-denied', 'authorization-failed', 'exchange-refused'] as const
  return {
    async reportFailure(error, describeError, sendResult) {
      if (!isFailure(error, ...ofFlow))
        return defaults.reportFailure(error, describeError, sendResult)
      await sendResult(text)
    },
  }
}

/** Failures with these codes are logged and end nothing. */
function swallow(defaults: Parts, ...codes: readonly FailureCode[]): Partial<Parts> {
  return {
    async reportFailure(error, describeError, sendResult) {
      if (isFailure(error, ...codes)) return
      await defaults.reportFailure(error, describeError, sendResult)
    },
  }
}

function isFailure(error: unknown, ...codes: readonly FailureCode[]): boolean {
  return error instanceof CallFailure && codes.includes(error.code)
}
