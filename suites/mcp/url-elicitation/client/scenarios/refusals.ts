import { answersFor, check, opensAfterConsent } from '../checks.ts'
import { needsModern } from '../conditions.ts'
import { control, scenario, type ClientScenario } from './define.ts'
import { echoes, hasAnswers, onRetryIfAny } from './modern.ts'

const refusals = [
  ['decline', 'the user declines to open the URL'],
  ['cancel', 'the user dismisses the prompt'],
] as const

/** A retry is one also where its user has refused. */
const retryChecks = [
  check('mcp-url-elicitation/client/echo-state', 'echoes the state', onRetryIfAny(echoes)),
  check('mcp-url-elicitation/client/answer-keys', 'answers by key', onRetryIfAny(hasAnswers)),
]

const refusing = (
  id: string,
  title: string,
  action: 'decline' | 'cancel',
  modern?: Pick<ClientScenario, 'control' | 'notApplicable'>,
): ClientScenario =>
  scenario({
    id,
    title,
    control,
    ...modern,
    async drive({ open, observe }) {
      const client = await open(modern ? { modern: true } : {})
      const call = await client.begin()
      await call.ask()
      await call.prompted()
      await call.decide(action)
      // A call that was answered by a result need not be made again (2026-07-28).
      if (!call.isModern) await call.replied()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/client/decline-and-cancel',
        'answers what its user said',
        answersFor(action),
      ),
      check(
        'mcp-url-elicitation/client/consent-before-opening',
        'opens nothing',
        opensAfterConsent,
      ),
      ...(modern ? retryChecks : []),
    ],
  })

export const refusalScenarios = [
  ...refusals.map(([action, title]) => refusing(action, title, action)),
  ...refusals.map(([action, title]) =>
    refusing(`modern-${action}`, `${title}, without a handshake`, action, {
      control: 'modern',
      notApplicable: needsModern,
    }),
  ),
]
