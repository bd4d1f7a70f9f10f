import { domainToUnicode } from 'node:url'
import {
  cite,
  inconclusive,
  notApplicable,
  pass,
  violation,
  watchedAfter,
  worstOf,
  type Recorded,
  type StepEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { noWebPage, opensNothing } from '../../../../host/opens-nothing.ts'
import { aScript, unsafeUrls } from '../../../client/unsafe-urls.ts'
import { textIn } from '../../../wire/values.ts'
import { check, unaskedAcceptance, type Judge } from '../checks.ts'
import { needsHandshake, needsModern, needsOpening } from '../conditions.ts'
import type { AskOptions } from '../asking.ts'
import { declineEach } from '../decline-each.ts'
import { callOf, callsOf, promptIn, textOf, type CallView } from '../view.ts'
import { control, scenario, type ClientScenario } from './define.ts'

const isWebPage = (url: unknown): boolean => /^https?:/i.test(textIn(url))

/** What was opened of a call, but for the web page that it has asked for as well. */
function unsafeIn({ askings, opened }: CallView): Recorded<StepEvent> | undefined {
  const hasPage = askings.some(({ params }) => isWebPage(params['url']))
  return opened.find(({ detail }) => !hasPage || !isWebPage(detail['url']))
}

/** The same judgement of every call. */
const ofEach =
  (judge: (call: CallView, ...recorded: Parameters<Judge>) => ReturnType<Judge>): Judge =>
  (t, context) => {
    const judgements = callsOf(t).map((call) => judge(call, t, context))
    return worstOf(judgements) ?? judgements[0] ?? inconclusive('nothing was asked')
  }

/** Whatever the user says, nothing but a web page is opened. */
const refuses = ofEach((call, t, { declared }) => {
  const reason = needsOpening(declared)
  if (reason !== undefined) return notApplicable(reason)
  const [asking] = call.askings
  return opensNothing(
    t,
    {
      asking: asking?.frame.event,
      opened: unsafeIn(call),
      answer: call.replies[0]?.event ?? call.decisions[0],
      // A result that asks for input needs no answer: the call may end with it (2026-07-28).
      needsNoAnswer: asking?.how !== 'request',
    },
    noWebPage,
  )
})

/** What is refused without a question is not accepted either. */
const acceptsNothingUnasked = ofEach((call) => {
  const [asking] = call.askings
  if (!asking) return inconclusive('nothing was asked')
  return (
    unaskedAcceptance(call) ?? pass('nothing was accepted for its user', cite(asking.frame.event))
  )
})

/** What is new in every prompt: letters among digits, pieces of hexadecimal numbers, and what turns while one waits. */
const random = /\S*\d\S*|(?<!\p{L})[a-f]+(?!\p{L})|[\u2800-\u28ff]/gu

/** The words and signs of a prompt. */
function wordsOf(prompt: Recorded<StepEvent>): readonly string[] {
  const words = textOf(prompt)
    .toLowerCase()
    .replaceAll(random, ' ')
    .match(/\p{L}{3,}|[\p{So}\u26a0!]+/gu)
  return words ?? []
}

/** What the client had from the server, or from its user: a box may break all of it up. */
function knownTo(t: Transcript, { askings }: CallView): string {
  const { url, message } = askings[0]?.params ?? {}
  const { host } = new URL(textIn(url))
  const names = [t.steps('client')[0]?.detail['names']].flat(2).map(textIn)
  return [textIn(url), domainToUnicode(host), textIn(message), ...names].join('\n').toLowerCase()
}

const warns: Judge = (t) => {
  const [first, second, call] = ['call-1', 'call-2', 'call-3'].map((name) => callOf(t, name)) as [
    CallView,
    CallView,
    CallView,
  ]
  const [asking] = call.askings
  if (!asking) return inconclusive('the client was not asked to open it')
  const [reply] = call.replies
  const refused = reply && reply.action !== 'accept' && call.decisions.length === 0
  if (refused) return pass('it was refused', cite(asking.frame.event, reply.event))
  const prompt = promptIn(call)
  if (!prompt && asking.how === 'input' && watchedAfter(t, asking.frame.event) !== undefined)
    return pass('the call ended with it', cite(asking.frame.event))
  const [before, usual] = [promptIn(first), promptIn(second)]
  if (!prompt || !before || !usual) return inconclusive('no prompt was shown')
  const expected = [first, second].flatMap(({ prompts }) => prompts.flatMap(wordsOf))
  const known = knownTo(t, call)
  const more = call.prompts
    .flatMap(wordsOf)
    .filter((word) => !expected.includes(word) && !known.includes(word))
  const evidence = cite(asking.frame.event, ...call.prompts)
  if (more.length > 0)
    return pass(`the prompt says more than usual: ${[...new Set(more)].join(' ')}`, evidence)
  return violation(
    'the prompt for a host in Punycode contains no warning',
    { expected: 'a warning', actual: call.prompts.map(textOf).join('\n') },
    evidence,
  )
}

/** A host in letters of one alphabet. */
const ordinary = 'https://warehouse.example/connect'

/** Hosts that look like another one: `\u0430\u0440\u0440\u04cf\u0435`. Any label may be in Punycode, in any capitals (RFC 3490 §5). */
const imitating = [
  ['punycode', 'the host of the URL is in Punycode', 'https://xn--80ak6aa92e.example/connect'],
  [
    'punycode-inside',
    'a later part of the host is in Punycode',
    'https://login.xn--80ak6aa92e.example/connect',
  ],
  [
    'punycode-capitals',
    'the host is in Punycode, its prefix in capitals',
    'https://XN--80AK6AA92E.example/connect',
  ],
] as const

/** How the URL comes; by default as the revision has it. */
interface Way extends Pick<ClientScenario, 'control' | 'notApplicable'> {
  readonly ask?: AskOptions
  readonly modern?: boolean
}

/** An error asks for no answer, and what is no URL at all gets no further than the SDK of the reference. */
const unanswered: readonly string[] = [
  'required-error-unsafe-url',
  'required-error-unsafe-second',
  'modern-unsafe-second',
  'unsafe-url-junk',
]

const unaccepted = check(
  'mcp-url-elicitation/client/accept-after-consent',
  'accepts nothing that nobody has agreed to',
  acceptsNothingUnasked,
)

/** Checks that unsafe URLs are refused, each in a call of its own. */
const unsafeUrl = (
  id: string,
  title: string,
  urls: readonly (string | undefined)[],
  way: Way,
): ClientScenario => {
  const { ask, modern: isModern, ...rest } = way
  return scenario({
    id,
    title,
    ...rest,
    async drive({ open, observe }) {
      const client = await open(isModern ? { modern: true } : {})
      for (const url of urls) {
        const call = await client.begin(url === undefined ? {} : { url })
        await call.ask(ask)
        if (url === undefined && !ask?.twice) {
          // What is asked next may have to wait until this is over.
          await call.prompted()
          await call.accept()
          await call.replied()
          call.complete()
        } else await call.agreeIfAsked()
        if (ask?.twice) await call.agreeToRest()
        call.finishOpen()
      }
      await observe()
    },
    checks: [
      check('mcp-url-elicitation/client/refuse-unsafe-url', 'opens nothing but web pages', refuses),
      ...(unanswered.includes(id) ? [] : [unaccepted]),
    ],
  })
}

/** In place of the URL of a web page, which the call would have otherwise. */
const aPage = undefined

const byError = { control, notApplicable: needsHandshake }
const modern = { control: 'modern', notApplicable: needsModern, modern: true }

export const unsafeUrlScenarios = [
  ...unsafeUrls.map(([kind, what, ...urls]) =>
    unsafeUrl(`unsafe-url-${kind}`, `the URL is ${what}`, urls, { control }),
  ),
  unsafeUrl('unsafe-url-later', 'after a web page the URL is a script', [aPage, aScript], {
    control,
  }),
  unsafeUrl('required-error-unsafe-url', 'the URL of -32042 is a script', [aScript], {
    ...byError,
    ask: { byError: true },
  }),
  unsafeUrl('modern-unsafe-url', 'the URL that a result asks for is a script', [aScript], modern),
  unsafeUrl('required-error-unsafe-second', 'the second URL of -32042 is a script', [aPage], {
    ...byError,
    ask: { byError: true, twice: true, secondUrl: aScript },
  }),
  unsafeUrl('modern-unsafe-second', 'of two URLs in a result the second one is a script', [aPage], {
    ...modern,
    ask: { twice: true, secondUrl: aScript },
  }),
  ...imitating.map(([kind, title, imitation]) =>
    scenario({
      id: `unsafe-url-${kind}`,
      title,
      control,
      // What comes of a call is printed before the prompt of the next one, perhaps: that is no warning.
      drive: (fixtures) => declineEach(fixtures, [ordinary, ordinary, imitation]),
      checks: [
        check(
          'mcp-url-elicitation/client/warn-suspicious-url',
          'warns about a host name that may imitate another',
          warns,
        ),
      ],
    }),
  ),
]
