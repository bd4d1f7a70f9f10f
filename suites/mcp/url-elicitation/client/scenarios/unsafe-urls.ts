import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { noWebPage, opensNothing } from '../../../../host/opens-nothing.ts'
import { unsafeUrls } from '../../../client/unsafe-urls.ts'
import { textIn } from '../../../wire/values.ts'
import { check, type Judge } from '../checks.ts'
import { needsOpening } from '../conditions.ts'
import { callOf, promptIn, textOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** Whatever the user says, nothing but a web page is opened. */
const refuses: Judge = (t, { declared }) => {
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  const call = callOf(t)
  const [asking] = call.askings
  return opensNothing(
    t,
    {
      asking: asking?.frame.event,
      opened: call.opened[0],
      answer: call.replies[0]?.event ?? call.decisions[0],
      // A result that asks for input needs no answer: the call may end with it (2026-07-28).
      needsNoAnswer: asking?.how !== 'request',
    },
    noWebPage,
  )
}

/** What is new in every prompt: letters among digits, pieces of hexadecimal numbers, and what turns while one waits. */
const random = /\S*\d\S*|(?<!\p{L})[a-f]+(?!\p{L})|[\u2800-\u28ff]/gu

/** The words and signs of a prompt. */
function wordsOf(t: Transcript | undefined): ReadonlySet<string> | undefined {
  const prompt = t && promptIn(callOf(t))
  if (!prompt) return undefined
  const words = textOf(prompt)
    .toLowerCase()
    .replaceAll(random, ' ')
    .match(/\p{L}{3,}|[\p{So}\u26a0!]+/gu)
  return new Set(words)
}

/** What the client had from the server, or from its user: a box may break all of it up. */
function knownTo(t: Transcript): string {
  const { url, message } = callOf(t).askings[0]?.params ?? {}
  const names = [t.steps('client')[0]?.detail['names']].flat(2).map(textIn)
  return [textIn(url), textIn(message), ...names].join('\n').toLowerCase()
}

const warns: Judge = (t, { control: twin }) => {
  const call = callOf(t)
  const [asking] = call.askings
  if (!asking) return inconclusive('the client was not asked to open it')
  const [reply] = call.replies
  const refused = reply && reply.action !== 'accept' && call.decisions.length === 0
  if (refused) return pass('it was refused', cite(asking.frame.event, reply.event))
  const prompt = promptIn(call)
  const [words, usual] = [wordsOf(t), wordsOf(twin)]
  if (!prompt || !words || !usual) return inconclusive('no prompt was shown')
  const known = knownTo(t)
  const more = [...words].filter((word) => !usual.has(word) && !known.includes(word))
  const evidence = cite(asking.frame.event, prompt)
  if (more.length > 0) return pass(`the prompt says more than usual: ${more.join(' ')}`, evidence)
  return violation(
    'the prompt for a host in Punycode contains no warning',
    { expected: 'a warning', actual: textOf(prompt) },
    evidence,
  )
}

export const unsafeUrlScenarios = [
  ...unsafeUrls.map(([kind, what, url]) =>
    scenario({
      id: `unsafe-url-${kind}`,
      title: `the URL is ${what}`,
      control,
      async drive({ open, observe }) {
        const client = await open()
        const call = await client.begin({ url })
        await call.ask()
        await call.agreeIfAsked()
        await observe()
      },
      checks: [
        check(
          'mcp-url-elicitation/client/refuse-unsafe-url',
          'opens nothing but web pages',
          refuses,
        ),
      ],
    }),
  ),
  scenario({
    id: 'unsafe-url-punycode',
    title: 'the host of the URL is in Punycode',
    control,
    async drive({ open }) {
      const client = await open()
      const call = await client.begin({ url: 'https://xn--80ak6aa92e.example/connect' })
      await call.ask()
      await call.settled()
    },
    checks: [
      check(
        'mcp-url-elicitation/client/warn-suspicious-url',
        'warns about a host name that may imitate another',
        warns,
      ),
    ],
  }),
]
