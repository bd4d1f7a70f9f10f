import { inconclusive, isAfter } from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { acceptsAfterConsentIn, check, opensAfterConsentIn } from '../checks.ts'
import { showsLatest } from '../prompts.ts'
import { callOf, type Asking } from '../view.ts'
import { control, scenario } from './define.ts'

const second = 'call-2'

const kinds = [
  ['asked-again', 'another one'],
  ['asked-again-same-url', 'the same one'],
] as const

const showsIt = check(
  'mcp-url-elicitation/client/show-full-url',
  'shows the other one in its prompt',
  (t) => {
    const [[before], [asking]] = [callOf(t).askings, callOf(t, second).askings]
    if (!before || !asking) return inconclusive('the client was not asked again')
    const asked = asking.frame.event
    // One that shows an earlier URL seems to be about that.
    const prompts = t.steps('prompt').filter((each) => isAfter(each, asked))
    return showsLatest(prompts, { url: urlOf(asking), asked }, urlOf(before))
  },
)

function urlOf({ params }: Asking): string {
  return textIn(params['url'])
}

/** Whoever agreed to one elicitation of a server has agreed to no other (Response Actions: each is answered by its user). */
export const askedAgainScenarios = kinds.map(([id, which]) =>
  scenario({
    id,
    title: `the user agreed to one URL; the server asks for ${which}, and the user says nothing`,
    control,
    async drive({ open, observe }) {
      const client = await open()
      const call = await client.begin()
      await call.ask()
      await call.prompted()
      await call.accept()
      await call.replied()
      call.complete()
      await call.finish()
      // What is told late belongs to the first call.
      await observe()
      const again = await client.begin(which === 'the same one' ? { url: call.url } : {})
      await again.ask()
      await again.settled()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/client/consent-before-opening',
        `does not open ${which}`,
        opensAfterConsentIn(second),
      ),
      check(
        'mcp-url-elicitation/client/accept-after-consent',
        `does not accept ${which}`,
        acceptsAfterConsentIn(second),
      ),
      ...(which === 'the same one' ? [] : [showsIt]),
    ],
  }),
)
