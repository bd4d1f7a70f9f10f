import { cite, inconclusive, pass, watched } from '../../../../../harness/engine/index.ts'
import { serverFrames } from '../../../wire/frames.ts'
import type { Capabilities } from '../../../wire/revisions.ts'
import { isUrlMode } from '../../elicitation.ts'
import { check, type Judge } from '../checks.ts'
import { needsHandshake, needsModern } from '../conditions.ts'
import type { CallOptions } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf, refusedHandshake } from '../view.ts'
import { control, scenario, type ServerScenario } from './define.ts'
import { asksUndeclared } from './gates.ts'
import { modernRevision } from './modern.ts'

const formsAlone = { elicitation: { form: {} } }

/** What clients declare that cannot open a URL. */
const clients = [
  ['no-elicitation', 'the client declares no elicitation at all', {}],
  ['empty-elicitation', 'the client declares an empty elicitation', { elicitation: {} }],
  ['form-only', 'the client declares form mode alone', formsAlone],
] as const

function asksNothingElse(capabilities: Capabilities, name = 'call-1'): Judge {
  return (t) => {
    const call = callOf(t, name)
    // What comes when the call has ended belongs to no call, and is for the same client.
    const all = serverFrames(t).filter(({ connection }) => connection === call.connection)
    const wrong = asksUndeclared(all, capabilities)
    if (wrong) return wrong
    const reply = call.replies[0] ?? refusedHandshake(t, call.connection)
    if (!reply && call.askings.length === 0) return inconclusive('the call was not answered')
    if (watched(t) === undefined) return inconclusive('the run did not watch for one')
    return pass('it did not ask for a URL', cite(reply?.event, call.askings[0]?.frame.event))
  }
}

/** The client before has declared more, and was asked by that. */
const asksNothingElseLater: Judge = (t, context) => {
  if (!callOf(t).askings.some(isUrlMode))
    return inconclusive('the client that declares URL mode was not asked')
  return asksNothingElse(formsAlone, 'call-2')(t, context)
}

/** A client that declares forms alone calls when one of the same user, which opens URLs, has been asked and has declined. */
async function afterUrlMode(
  { begin, user, observe }: Fixtures,
  options: Pick<CallOptions, 'revision'> = {},
): Promise<void> {
  const asked = begin(user, options)
  await asked.awaitUrl()
  // The error -32042 asks for no answer.
  if (asked.view().askings.find(isUrlMode)?.how !== 'error') {
    await asked.answer('decline')
    await asked.retry()
    await asked.settle()
  }
  await begin(user, { ...options, capabilities: formsAlone }).settle()
  await observe()
}

const laterChecks = [
  check(
    'mcp-url-elicitation/server/gate-mode',
    'does not go by what another client of the user has declared',
    asksNothingElseLater,
  ),
]

const laterTitle =
  'the client declares form mode alone, and one of the same user that came earlier URL mode'

const afterUrlModeScenarios: readonly ServerScenario[] = [
  scenario({
    id: 'form-only-after-url-mode',
    title: laterTitle,
    control,
    notApplicable: needsHandshake,
    drive: (fixtures) => afterUrlMode(fixtures),
    checks: laterChecks,
  }),
  scenario({
    id: 'modern-form-only-after-url-mode',
    title: `${laterTitle}, on revision ${modernRevision}`,
    control: 'modern',
    notApplicable: needsModern,
    drive: (fixtures) => afterUrlMode(fixtures, { revision: modernRevision }),
    checks: laterChecks,
  }),
]

/** What one client of a user has declared says nothing of another one's, which came earlier. */
const besideUrlMode = scenario({
  id: 'form-only-beside-url-mode',
  title: 'the client declares form mode alone, and one of the same user that came later URL mode',
  control,
  notApplicable: needsHandshake,
  async drive({ begin, connect, user, observe }) {
    const capabilities = formsAlone
    await connect(user, { capabilities })
    await connect(user)
    await begin(user, { capabilities }).settle()
    await observe()
  },
  checks: [
    check(
      'mcp-url-elicitation/server/gate-mode',
      'looks at what this very client has declared',
      asksNothingElse(formsAlone),
    ),
  ],
})

export const noUrlScenarios: readonly ServerScenario[] = [
  besideUrlMode,
  ...afterUrlModeScenarios,
  ...clients.flatMap(([id, title, capabilities]) => {
    const checks = [
      check(
        'mcp-url-elicitation/server/gate-mode',
        'asks for nothing that was not declared',
        asksNothingElse(capabilities),
      ),
    ]
    return [
      scenario({
        id,
        title,
        control,
        async drive({ begin, user, observe }) {
          await begin(user, { capabilities }).settle()
          await observe()
        },
        checks,
      }),
      // Declared with each request, so that what is read of a handshake says nothing about it.
      scenario({
        id: `modern-${id}`,
        title: `${title}, on revision ${modernRevision}`,
        control: 'modern',
        notApplicable: needsModern,
        async drive({ begin, user, observe }) {
          await begin(user, { capabilities, revision: modernRevision }).settle()
          await observe()
        },
        checks,
      }),
    ]
  }),
]
