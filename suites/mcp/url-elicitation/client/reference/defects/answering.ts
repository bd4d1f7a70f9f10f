/** Defects: what the server is answered, and what stands for the word of the user. */

import { once } from 'node:events'

import type { Decision } from '../work.ts'
import type { Defect } from './defect.ts'
import { openAndWait } from './opening.ts'

export const answeringDefects: readonly Defect[] = [
  {
    id: 'accepted-at-once',
    description: 'accept is answered while the user still reads the prompt',
    parts: ({ decide, openUrl }) => ({
      decide(user, text, url) {
        void decide(user, text, url).then((decision) => {
          if (decision === 'accept') void openUrl(url)
        })
        return Promise.resolve('accept')
      },
      openUrl: () => Promise.resolve(true),
    }),
  },
  {
    id: 'nobody-asked',
    description: 'every URL is opened and accepted without asking anybody',
    parts: () => ({
      decide: () => Promise.resolve('accept'),
      openUrl: (url) => openAndWait(url).then(() => true),
    }),
  },
  {
    id: 'latest-question-answered',
    description: 'what the user says first goes to whatever was asked for last',
    parts: ({ decide }) => {
      const waiting: ((decision: Decision) => void)[] = []
      return {
        decide: (...prompt) =>
          new Promise((resolve) => {
            waiting.push(resolve)
            void decide(...prompt).then((decision) => waiting.pop()?.(decision))
          }),
      }
    },
  },
  {
    id: 'end-of-input-accepts',
    description: 'who closes the terminal while a question stands there has agreed',
    parts: ({ decide }) => ({
      decide: (...prompt) =>
        Promise.race([decide(...prompt), once(process.stdin, 'end').then(() => 'accept' as const)]),
    }),
  },
  {
    id: 'later-urls-accepted-unasked',
    description:
      'who has agreed to one URL of a server is said to agree to all, which nobody opens',
    parts: ({ consent }) => {
      const agreed = new Set<string>()
      return {
        async consent(server, ...rest) {
          if (agreed.has(server)) return 'accept'
          const decision = await consent(server, ...rest)
          if (decision === 'accept') agreed.add(server)
          return decision
        },
      }
    },
  },
  {
    id: 'one-consent-for-all',
    description: 'an accept is an accept of everything that is asked for at that time',
    parts: ({ decide }) => {
      const waiting = new Set<(decision: Decision) => void>()
      return {
        decide: (...prompt) =>
          new Promise((resolve) => {
            waiting.add(resolve)
            void decide(...prompt).then((decision) => {
              if (decision === 'accept') for (const each of waiting) each(decision)
              waiting.delete(resolve)
              resolve(decision)
            })
          }),
      }
    },
  },
  {
    id: 'consent-for-other-servers',
    description: 'an accept is an accept of what the other servers ask for at that time',
    parts: ({ consent }) => {
      const waiting = new Map<(decision: Decision) => void, string>()
      return {
        consent: (server, request, user, parts) =>
          consent(server, request, user, {
            ...parts,
            decide: (...prompt) =>
              new Promise((resolve) => {
                waiting.set(resolve, server)
                void parts.decide(...prompt).then((decision) => {
                  for (const [each, other] of decision === 'accept' ? waiting : [])
                    if (other !== server) each(decision)
                  waiting.delete(resolve)
                  resolve(decision)
                })
              }),
          }),
      }
    },
  },
  {
    id: 'completion-stands-for-consent',
    description: 'when the server says that it is complete, that counts as the consent of the user',
    parts: ({ consent, decide, onComplete }) => {
      const completed = new Map<string, (decision: Decision) => void>()
      return {
        consent: (server, request, user, parts) =>
          consent(server, request, user, {
            ...parts,
            decide: (...prompt) => {
              const early = new Promise<Decision>((resolve) => {
                completed.set(request.elicitationId ?? '', resolve)
              })
              return Promise.race([early, decide(...prompt)])
            },
          }),
        onComplete(id, ...rest) {
          completed.get(id)?.('accept')
          onComplete(id, ...rest)
        },
      }
    },
  },
  {
    id: 'any-completion-dismisses',
    description: 'a completion of anything dismisses the prompt that is shown',
    parts: ({ decide, onComplete }) => {
      let dismiss: (decision: Decision) => void = () => undefined
      return {
        decide: (...prompt) =>
          Promise.race([
            decide(...prompt),
            new Promise<Decision>((resolve) => {
              dismiss = resolve
            }),
          ]),
        onComplete(id, ...rest) {
          dismiss('cancel')
          onComplete(id, ...rest)
        },
      }
    },
  },
  {
    id: 'unknown-completion-is-fatal',
    description: 'a completion that nothing waits for ends the client',
    parts: ({ consent, onComplete }) => {
      const pending = new Set<string>()
      return {
        consent(server, request, ...rest) {
          pending.add(request.elicitationId ?? '')
          return consent(server, request, ...rest)
        },
        onComplete(id, ...rest) {
          if (!pending.delete(id)) process.exit(1)
          onComplete(id, ...rest)
        },
      }
    },
  },
  {
    id: 'second-completion-reopens',
    description: 'a completion that comes twice opens the URL again',
    parts: ({ openUrl, onComplete }) => {
      const seen = new Set<string>()
      let latest = ''
      return {
        openUrl(url) {
          latest = url
          return openUrl(url)
        },
        onComplete(id, ...rest) {
          if (seen.has(id)) void openUrl(latest)
          seen.add(id)
          onComplete(id, ...rest)
        },
      }
    },
  },
  {
    id: 'content-sent',
    description: 'accept comes with the content of a form that there was not',
    parts: ({ answerFor }) => ({
      answerFor: (decision) => ({ ...answerFor(decision), content: { confirmed: true } }),
    }),
  },
  {
    id: 'decline-answered-with-cancel',
    description: 'an explicit no is answered as if the prompt had been dismissed',
    parts: ({ answerFor }) => ({
      answerFor: (decision) => answerFor(decision === 'decline' ? 'cancel' : decision),
    }),
  },
  {
    id: 'cancel-answered-with-decline',
    description: 'a prompt that was dismissed is answered like an explicit no',
    parts: ({ answerFor }) => ({
      answerFor: (decision) => answerFor(decision === 'cancel' ? 'decline' : decision),
    }),
  },
]
