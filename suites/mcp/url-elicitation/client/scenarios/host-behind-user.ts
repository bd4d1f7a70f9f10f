/** What stands before the @ of a URL is no host (RFC 3986 §3.2.1), however much it looks like one. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  watchedAfter,
} from '../../../../../harness/engine/index.ts'
import { textIn } from '../../../wire/values.ts'
import { check, type Judge } from '../checks.ts'
import { declineEach } from '../decline-each.ts'
import { callOf, promptIn, shows, textOf, type CallView } from '../view.ts'
import { control, scenario } from './define.ts'

const [usualHost, user, host] = [
  'warehouse.example',
  'accounts.good.example',
  'signin.evil.example',
]
const urls = [`https://${usualHost}/connect`, `https://${user}@${host}/connect`] as const

/** What the prompts of a call say beside the URL. */
function linesOf({ askings, prompts }: CallView): readonly string[] {
  const url = textIn(askings[0]?.params['url'])
  return prompts
    .flatMap((prompt) => textOf(prompt).replaceAll(url, ' ').split('\n'))
    .map((line) => line.trim())
}

/** What says of an ordinary URL where it leads may not say the name before the @ of this one. */
const namesHost: Judge = (t) => {
  const [usual, call] = [callOf(t), callOf(t, 'call-2')]
  const [asking] = call.askings
  const [reply] = call.replies
  if (!asking) return inconclusive('the client was not asked to open it')
  const evidence = cite(asking.frame.event, ...call.prompts)
  if (reply && reply.action !== 'accept' && call.decisions.length === 0)
    return pass('it was refused', cite(asking.frame.event, reply.event))
  if (!promptIn(call)) {
    return asking.how === 'input' && watchedAfter(t, asking.frame.event) !== undefined
      ? pass('the call ended with it', evidence)
      : inconclusive('no prompt was shown')
  }
  const text = call.prompts.map(textOf).join('\n')
  const wrong = (actual: string) =>
    violation('the prompt does not say which host the URL leads to', { expected: host, actual }, [
      ...cite(promptIn(usual)),
      ...evidence,
    ])
  if (!shows(text, host)) return wrong(text)
  if (!promptIn(usual)) return inconclusive('no prompt was shown for an ordinary URL', evidence)
  const named = linesOf(usual).filter((line) => line.includes(usualHost))
  const mistaken = named
    .map((line) => line.replaceAll(usualHost, user))
    .find((line) => linesOf(call).includes(line))
  return mistaken === undefined ? pass('the host is shown', evidence) : wrong(mistaken)
}

export const hostBehindUser = scenario({
  id: 'host-behind-user',
  title: 'the host of the URL stands behind another name and an @',
  control,
  drive: (fixtures) => declineEach(fixtures, urls),
  checks: [
    check(
      'mcp-url-elicitation/client/show-host',
      'shows where such a URL leads, or refuses it',
      namesHost,
    ),
  ],
})
