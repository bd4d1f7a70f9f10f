import { inconclusive, isAfter } from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { acceptsAfterConsentIn, check, opensAfterConsentIn } from '../checks.ts'
import { showsLatest } from '../prompts.ts'
import { callOf, type Asking } from '../view.ts'
import { control, scenario } from './define.ts'

interface Kind {
  readonly id: string
  /** How many URLs the user agrees to before. */
  readonly agreed: 1 | 2
  readonly to: string
  readonly next: 'another one' | 'the same one'
  /** Whether the client is started again in between. */
  readonly restarts?: true
}

const kinds: readonly Kind[] = [
  { id: 'asked-again', agreed: 1, to: 'one URL', next: 'another one' },
  { id: 'asked-a-third-time', agreed: 2, to: 'two URLs', next: 'another one' },
  { id: 'asked-again-same-url', agreed: 1, to: 'one URL', next: 'the same one' },
  {
    id: 'asked-after-restart',
    agreed: 1,
    to: 'one URL, and started the client again',
    next: 'the same one',
    restarts: true,
  },
]

const showsIt = check(
  'mcp-url-elicitation/client/show-full-url',
  'shows the other one in its prompt',
  (t) => {
    const [[before], [asking]] = [callOf(t).askings, callOf(t, 'call-2').askings]
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
export const askedAgainScenarios = kinds.map(({ id, agreed, to, next, restarts }) =>
  scenario({
    id,
    title: `the user agreed to ${to}; the server asks for ${next}, and the user says nothing`,
    control,
    async drive({ open, observe }) {
      const client = await open()
      let url: string | undefined
      for (let nth = 0; nth < agreed; nth += 1) {
        const call = await client.begin()
        await call.ask()
        await call.prompted()
        await call.accept()
        await call.replied()
        call.complete()
        await call.finish()
        // What is told late belongs to that call.
        await observe()
        url = call.url
      }
      if (restarts) await client.restart()
      const again = await client.begin(next === 'the same one' ? { url } : {})
      await again.ask()
      await again.settled()
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/client/consent-before-opening',
        `does not open ${next}`,
        opensAfterConsentIn(`call-${agreed + 1}`),
      ),
      check(
        'mcp-url-elicitation/client/accept-after-consent',
        `does not accept ${next}`,
        acceptsAfterConsentIn(`call-${agreed + 1}`),
      ),
      ...(id === 'asked-again' ? [showsIt] : []),
    ],
  }),
)
