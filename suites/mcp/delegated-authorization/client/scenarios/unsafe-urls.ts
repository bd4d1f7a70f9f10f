import { inconclusive, notApplicable, worstOf } from '../../../../../harness/engine/index.ts'
import { noWebPage, opensNothing } from '../../../../host/opens-nothing.ts'
import { aScript, unsafeUrls } from '../../../client/unsafe-urls.ts'
import { textIn } from '../../../wire/values.ts'
import { callsOf, type CallView } from '../view.ts'
import { check, control, scenario, type Judge } from './define.ts'

const isWebPage = (url: unknown): boolean => /^https?:/i.test(textIn(url))

/** Whatever the user says, nothing but a web page is opened; of a call that asks for one that is judged elsewhere. */
const refuses: Judge = (t, { declared }) => {
  if (!declared.opens) return notApplicable('the client opens no URL itself (declares.opens)')
  const judgements = callsOf(t)
    .filter(({ askings }) => !isWebPage(askings[0]?.params['url']))
    .map((call) => opensNothing(t, requestOf(call), noWebPage))
  const [first] = judgements
  return worstOf(judgements) ?? first ?? inconclusive('the tool was never called')
}

function requestOf({ askings, opened, replies, decisions }: CallView) {
  const answer = replies[0]?.event ?? decisions[0]
  return { asking: askings[0]?.frame.event, opened: opened[0], answer }
}

/** In place of the URL of an authorization server, which the call would have otherwise. */
const aPage = undefined

const unsafeUrl = (id: string, title: string, urls: readonly (string | undefined)[]) =>
  scenario({
    id: `unsafe-url-${id}`,
    title,
    control,
    async drive({ begin, again, observe }) {
      let call
      for (const url of urls) {
        await call?.finish()
        call = call ? await again() : await begin()
        if (url === undefined) {
          await call.ask()
          await call.prompted()
          await call.accept()
          await call.comesBack()
          await call.replied()
        } else {
          await call.ask({ url })
          await call.agreeIfAsked()
        }
      }
      await observe()
    },
    checks: [
      check(
        'mcp-delegated-authorization/client/refuse-unsafe-url',
        'opens nothing but web pages',
        refuses,
      ),
    ],
  })

export const unsafeUrlScenarios = [
  ...unsafeUrls.map(([kind, what, ...urls]) => unsafeUrl(kind, `the URL is ${what}`, urls)),
  unsafeUrl('later', 'after that of an authorization server the URL is a script', [aPage, aScript]),
]
