import { anyName, NotOffered } from '../../../../harness/engine/index.ts'
import { ends, retriesOperation } from '../handoff.ts'
import { afterIssuedToken } from '../../../oauth-client/judges.ts'
import { check, echoes, echoesCallId } from '../checks.ts'
import { dropsNone } from '../never-dropped.ts'
import { scenario, type ToolScenario } from './define.ts'
import { asksFor } from './needs.ts'

const control = 'authorize-and-complete'

/** An invocation whose `call_id` a program may take for none, or that has none. */
function callIdScenario(
  id: string,
  title: string,
  callId: string | null | undefined,
): ToolScenario {
  return scenario({
    id,
    title,
    control,
    async drive({ tool, user }) {
      const call = tool.invoke({ as: user, callId })
      await user.approve(call)
      await call.ended()
    },
    checks: [
      check(
        'rap-oauth/tool/echo-call-id',
        typeof callId === 'string' ? 'echoes a call_id that looks like none' : 'invents no call_id',
        echoesCallId(),
      ),
    ],
  })
}

/** Identifiers are strings; nothing in RAP restricts their characters or their length. */
const unusual = scenario({
  id: 'unusual-identifiers',
  title: 'identifiers with Unicode, spaces, slashes, quotes and 512 characters',
  control,
  needs: asksFor('unusual-identifiers', 'whose identifiers are unusual'),
  async drive({ tool, user, observe }) {
    const call = tool.invoke({
      userId: `../../${user.id}/Jürgen Ω 利用者 😀 %2e%2e "quoted" <tag>`,
      id: () => `${anyName('call')}/ünï cødé/e\u0301 😀 "quoted" \\ %20 `.padEnd(512, 'x'),
      groupId: `${` ${anyName('thread')} / <group> & #1 ?a=b`.padEnd(511, 'é')} `,
      callId: `${anyName('secondary')} \t 'single' \u00a0`.padEnd(512, '/'),
    })
    if (!(await call.isAsked())) throw new NotOffered('it refuses such identifiers')
    await user.approve(call)
    await call.ended()
    await observe()
  },
  checks: [
    dropsNone,
    check('rap-oauth/tool/echo-id', 'echoes an unusual id', echoes('id')),
    check('rap-oauth/tool/echo-group-id', 'echoes an unusual group_id', echoes('group_id')),
    check('rap-oauth/tool/echo-call-id', 'echoes an unusual call_id', echoesCallId()),
    check(
      'oauth-client/retry-operation',
      'retries the operation for an unusual user_id',
      retriesOperation(),
    ),
    check(
      'oauth-client/complete-call',
      'ends the call of an unusual user_id',
      ends('call-1', afterIssuedToken, 'the exchange'),
    ),
  ],
})

export const identifierScenarios = [
  callIdScenario('call-id-null', 'an invocation whose call_id is null', null),
  callIdScenario('call-id-absent', 'an invocation without call_id', undefined),
  callIdScenario('call-id-empty', 'an invocation whose call_id is an empty text', ''),
  callIdScenario('call-id-zero', 'an invocation whose call_id is the text "0"', '0'),
  unusual,
]
