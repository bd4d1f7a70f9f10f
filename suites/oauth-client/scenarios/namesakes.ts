/** Users whose identifiers a careless comparison takes for the same: that of a table, say, or of a column that cuts. */

import { NotOffered, Unreached, type Need } from '../../../harness/engine/index.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import type { PendingCall } from '../pending-call.ts'
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
  {
    id: 'user-of-same-255-characters',
    title: 'somebody whose id of 260 characters begins like that of another calls as well',
    // 255 is what a column of a table, or the name of a file, usually has at most.
    names: ['1', '2'].map((number) => `${longOrganisation.repeat(4).slice(0, 255)}${number}`),
  },
  {
    id: 'user-of-other-punctuation',
    title: 'somebody whose id differs in a sign between its words calls as well',
    // Names of files are made of ids by replacing what they may not hold.
    names: ['anna.b', 'anna_b'],
  },
  {
    id: 'user-of-other-domain',
    title: 'somebody whose mail address is that of another but for its domain calls as well',
    names: ['anna@a.example', 'anna@b.example'],
  },
] as const

/** A long name, or one with signs, may be refused. */
const suchNames: Need = { what: 'a user with such a name', seen: () => undefined }

/** @throws NotOffered where the call of such a user comes to nothing at all */
async function asked(call: PendingCall): Promise<'asked' | 'ended'> {
  try {
    return await call.answered()
  } catch (error) {
    throw error instanceof Unreached ? new NotOffered(error.message) : error
  }
}

export function namesakeScenarios(handoff: Handoff): readonly ClientScenario[] {
  const { notServedByOthers } = storedTokenJudgesOf(handoff)
  return namesakes.map(({ id, title, names }) =>
    scenario({
      id,
      title,
      control: handoff.control,
      needs: suchNames,
      async drive({ begin, newUser }) {
        const [own, other] = [newUser(names[0] ?? ''), newUser(names[1] ?? '')]
        const call = begin(own)
        if ((await asked(call)) === 'ended') throw new NotOffered('it takes no such name')
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
