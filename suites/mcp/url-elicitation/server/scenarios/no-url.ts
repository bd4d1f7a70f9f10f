import {
  cite,
  inconclusive,
  pass,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { bringsUrl } from '../../elicitation.ts'
import { check, citeAskings, type Judge } from '../checks.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** What clients declare that cannot open a URL. */
const clients = [
  ['no-elicitation', 'the client declares no elicitation at all', {}],
  ['empty-elicitation', 'the client declares an empty elicitation', { elicitation: {} }],
  ['form-only', 'the client declares form mode alone', { elicitation: { form: {} } }],
] as const

const [none, empty, form] = clients.map(([id, title, capabilities]) => ({
  id,
  title,
  capabilities,
}))

const asksNoUrl: Judge = (t) => {
  const call = callOf(t)
  const asked = call.askings.find(bringsUrl)
  if (asked) {
    return violation(
      'a client that did not declare URL mode was asked to open a URL',
      { expected: 'no elicitation in URL mode', actual: `one by ${asked.how}` },
      citeAskings(asked),
    )
  }
  const [reply] = call.replies
  if (!reply && call.askings.length === 0) return inconclusive('the call was not answered')
  if (watched(t) === undefined) return inconclusive('the run did not watch for one')
  return pass('it did not ask for a URL', cite(reply?.event, call.askings[0]?.frame.event))
}

type Definition = Pick<Parameters<typeof scenario>[0], 'id' | 'title' | 'control' | 'drive'>

const withClient = ({ id, title, capabilities }: NonNullable<typeof none>): Definition => ({
  id,
  title,
  control,
  async drive({ begin, user, observe }) {
    const call = begin(user, { capabilities })
    await call.settle()
    await observe()
  },
})

const gated = check('mcp-url-elicitation/server/gate-mode', 'does not ask for a URL', asksNoUrl)

export const noUrlScenarios = [
  scenario({ ...withClient(none!), checks: [gated] }),
  scenario({ ...withClient(empty!), checks: [gated] }),
  scenario({
    ...withClient(form!),
    checks: [gated],
  }),
]
