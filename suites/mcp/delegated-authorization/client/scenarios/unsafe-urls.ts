import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  show,
  violation,
  watched,
} from '../../../../../harness/engine/index.ts'
import { callOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

const dangerous = [
  ['javascript', 'a script', 'javascript:alert(document.domain)//%0A'],
  ['file', 'a file of the user', 'file:///etc/hosts'],
  ['junk', 'no URL at all', 'connect your account'],
] as const

/** Whatever the user says, nothing but a web page is opened. */
const opensNothing: Judge = (t, { declared }) => {
  if (!declared.opens) return notApplicable('the client opens no URL itself (declares.opens)')
  const call = callOf(t)
  const [asking] = call.askings
  const [opened] = call.opened
  if (!asking) return inconclusive('the client was not asked to have it opened')
  if (opened) {
    return violation(
      'what is no web page was opened',
      { expected: 'a refusal', actual: show(opened.detail['url']) },
      cite(asking.frame.event, opened),
    )
  }
  if (watched(t, asking.frame.event) === undefined)
    return inconclusive('nobody watched what came of it')
  const answer = call.replies[0]?.event ?? call.decisions[0]
  if (!answer) return inconclusive('the client neither asked its user nor answered')
  return pass('it was not opened', cite(asking.frame.event, answer))
}

export const unsafeUrlScenarios = dangerous.map(([kind, what, url]) =>
  scenario({
    id: `unsafe-url-${kind}`,
    title: `the URL is ${what}`,
    control,
    async drive({ begin, observe }) {
      const call = await begin()
      await call.ask({ url })
      if ((await call.settled()) === 'prompted') await call.decide('accept')
      await observe()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/refuse-unsafe-url',
        'opens nothing but web pages',
        opensNothing,
      ),
    ],
  }),
)
