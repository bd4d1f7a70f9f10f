import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { isUrlMode } from '../../elicitation.ts'
import { check, endsAfterRefusal } from '../checks.ts'
import { needsHandshake } from '../conditions.ts'
import { callsOf } from '../view.ts'
import type { Answer } from '../session.ts'
import { control, scenario } from './define.ts'

/** The error -32042 asks for no answer, so there is nothing to refuse. */
const answerable: Need = {
  what: 'an elicitation that its client answers',
  seen: (run) =>
    [...run.values()]
      .flatMap((t) => callsOf(t).flatMap(({ askings }) => askings))
      .find((asking) => isUrlMode(asking) && asking.how === 'request')?.frame.event,
}

const refusals = [
  ['decline', 'the user declines to open the URL'],
  ['cancel', 'the user dismisses the prompt'],
  ['error', 'the client fails to process the request'],
] as const satisfies readonly (readonly [Answer, string])[]

export const refusalScenarios = refusals.map(([answer, title]) =>
  scenario({
    id: `answered-with-${answer}`,
    title,
    control,
    needs: answerable,
    // A retry brings what its user said, and no errors.
    ...(answer === 'error' ? { notApplicable: needsHandshake } : {}),
    async drive({ begin, user, observe }) {
      const call = begin(user)
      await call.awaitUrl()
      const { how } = call.view().askings.find(isUrlMode)!
      if (how === 'error') throw new NotOffered('the error -32042 asks for no answer')
      await call.answer(answer)
      await call.settle()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/handle-refusal',
        'ends the call, and redeems nothing',
        endsAfterRefusal(answer),
      ),
    ],
  }),
)
