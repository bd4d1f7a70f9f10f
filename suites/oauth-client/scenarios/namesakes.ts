/** Users whose identifiers a careless comparison takes for the same: that of a table, say, or of a column that cuts. */

import { NotOffered, type Need } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { storedTokenJudgesOf } from './stored-token-judges.ts'

/** Longer than what columns are cut to that once held names or UUIDs; an OIDC subject may have 255 (Core §2). */
const longOrganisation = 'organisation-of-everybody-who-has-ever-stored-anything-in-a-warehouse'

const namesakes = [
  {
    id: 'user-of-other-case',
    title: 'somebody whose id differs in the case of its letters calls as well',
    names: ['Somebody', 'somebody'],
  },
  {
    id: 'user-of-same-beginning',
    title: 'somebody whose long id begins like that of another calls as well',
    names: [`${longOrganisation}-user-1`, `${longOrganisation}-user-2`],
  },
] as const

/** A long name may be refused. */
const suchNames: Need = { what: 'a user with such a name', seen: () => undefined }

export function namesakeScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { notServedByOthers } = storedTokenJudgesOf(handoff)
  return namesakes.map(({ id, title, names }) =>
    scenario({
      id,
      title,
      control: handoff.control,
      needs: suchNames,
      async drive({ begin, newUser }) {
        const [own, other] = [newUser(names[0]), newUser(names[1])]
        const call = begin(own)
        if ((await call.answered()) === 'ended') throw new NotOffered('it takes no such name')
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
