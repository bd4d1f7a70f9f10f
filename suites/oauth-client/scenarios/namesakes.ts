/** Users whose identifiers a careless comparison takes for the same: that of a table, say, or of a column that cuts. */

import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { storedTokenJudgesOf } from './stored-token-judges.ts'

const namesakes = [
  {
    id: 'user-of-other-case',
    title: 'somebody whose id differs in the case of its letters calls as well',
    names: ['Somebody', 'somebody'],
  },
  {
    id: 'user-of-same-beginning',
    title: 'somebody whose long id begins like that of another calls as well',
    names: ['organisation-of-everybody-user-1', 'organisation-of-everybody-user-2'],
  },
] as const

export function namesakeScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { notServedByOthers } = storedTokenJudgesOf(handoff)
  return namesakes.map(({ id, title, names }) =>
    scenario({
      id,
      title,
      control: handoff.control,
      async drive({ begin, newUser }) {
        const [own, other] = [newUser(names[0]), newUser(names[1])]
        const call = begin(own)
        await own.approve(call)
        await call.ended()
        await begin(other).answered()
      },
      checks: [
        check(
          'oauth-client/token-bound-to-user',
          'does not serve them with the token of the other',
          notServedByOthers('call-2'),
        ),
      ],
    }),
  )
}
