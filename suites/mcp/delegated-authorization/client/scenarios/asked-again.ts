/** What the server asks for after its user has agreed, or declined. */

import { NotOffered, type Need } from '../../../../../harness/engine/index.ts'
import { goThrough } from '../going-through.ts'
import { asksAfterDecline, asksAgain, showsDomainOf, showsMessageOf } from '../prompts.ts'
import { check, control, scenario } from './define.ts'

const kinds = [
  ['asked-again', 'the user has agreed, and the server asks for another authorization'],
  ['asked-again-same-url', 'the user has agreed, and the server asks for the same URL again'],
] as const

const askedAgain = kinds.map(([id, title]) =>
  scenario({
    id,
    title,
    control,
    async drive({ begin, again, observe }) {
      const first = await begin()
      await goThrough(first)
      await first.finish()
      // What is told late belongs to the first call.
      await observe()
      const call = await again()
      await call.ask(id === 'asked-again' ? {} : { url: first.url })
      await call.settled()
      await observe()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/consent-before-opening',
        'opens nothing by an earlier consent',
        asksAgain,
      ),
    ],
  }),
)

/** Another place than that of the first request, where nobody is: it is not opened. */
const elsewhere =
  'https://signin.other.example/authorize?response_type=code&client_id=items&state=own&redirect_uri=http%3A%2F%2F127.0.0.1%3A8000%2Fcallback'

/** A client may spare its user what comes after a decline. */
const laterRequest: Need = {
  what: 'a prompt after a decline',
  seen: () => undefined,
}

const askedAfterDecline = scenario({
  id: 'asked-after-decline',
  title: 'the user has declined, is asked for an authorization elsewhere, and declines once more',
  control,
  needs: laterRequest,
  async drive({ begin, again, observe }) {
    const first = await begin()
    await first.ask()
    await first.prompted()
    await first.decide('decline')
    await first.replied()
    await first.finish()
    const call = await again()
    await call.ask({ url: elsewhere, message: 'Please connect the shelves of the warehouse.' })
    const prompt = await call.shown()
    await observe()
    const { prompts, opened, replies } = call.view()
    if (prompt && replies.length === 0) {
      await call.decide('decline', prompt)
      await observe()
    }
    if (prompts.length === 0 && opened.length === 0 && replies.length > 0)
      throw new NotOffered('it refuses what comes after a decline')
  },
  checks: [
    check(
      'mcp-delegated-authorization/client/consent-before-opening',
      'opens nothing after a decline',
      asksAfterDecline,
    ),
    check(
      'mcp-delegated-authorization/client/show-domain',
      'shows where the later URL leads',
      showsDomainOf('call-2'),
    ),
    check(
      'mcp-delegated-authorization/client/show-message',
      'shows why it asks then',
      showsMessageOf('call-2'),
    ),
  ],
})

export const laterRequestScenarios = [...askedAgain, askedAfterDecline]
