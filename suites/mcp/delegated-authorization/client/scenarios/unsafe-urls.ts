import { notApplicable } from '../../../../../harness/engine/index.ts'
import { noWebPage, opensNothing } from '../../../../host/opens-nothing.ts'
import { unsafeUrls } from '../../../client/unsafe-urls.ts'
import { callOf } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** Whatever the user says, nothing but a web page is opened. */
const refuses: Judge = (t, { declared }) => {
  if (!declared.opens) return notApplicable('the client opens no URL itself (declares.opens)')
  const { askings, opened, replies, decisions } = callOf(t)
  const answer = replies[0]?.event ?? decisions[0]
  return opensNothing(t, { asking: askings[0]?.frame.event, opened: opened[0], answer }, noWebPage)
}

export const unsafeUrlScenarios = unsafeUrls.map(([kind, what, url]) =>
  scenario({
    id: `unsafe-url-${kind}`,
    title: `the URL is ${what}`,
    control,
    async drive({ begin, observe }) {
      const call = await begin()
      await call.ask({ url })
      await call.agreeIfAsked()
      await observe()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/refuse-unsafe-url',
        'opens nothing but web pages',
        refuses,
      ),
    ],
  }),
)
