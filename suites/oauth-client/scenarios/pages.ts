/** Pages for the browser, and what they print of a callback (RFC 6749 §10.14). */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Answer,
  type Judgement,
  type RequestEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import jsTokens from 'js-tokens'
import { elementsOf, type Element } from '../../../harness/parties/user/markup.ts'
import type { Handoff } from '../handoff.ts'
import { check } from '../judges.ts'
import { scenario, type ClientScenario } from './define.ts'
import { unlessUnreached } from './drives.ts'

/** Harmless, but it proves that a browser would run what stands in its place, between elements or in an attribute. */
export const markup = `" onfocus=page_probe x="'><script>document.title='page-probe'</script><img src=x onerror=page_probe>`
/** An address of which only the scheme does harm (RFC 6749 §4.1.2.1, error_uri). */
export const address = 'javascript:page_probe'

/** What must not appear as it is: the start of an element that the probe opens. */
const executable = /<script>document\.title|<img src=x onerror=page_probe/i

/** Whether a browser runs the probe as the value of an attribute. */
function runsProbe({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return /^on/i.test(name) ? isCalledIn(value) : /^\s*javascript:\s*page_probe/i.test(value)
}

/** Where a program may name what it does not run. */
const texts: ReadonlySet<string> = new Set([
  'StringLiteral',
  'NoSubstitutionTemplate',
  'TemplateHead',
  'TemplateMiddle',
  'TemplateTail',
  'SingleLineComment',
  'MultiLineComment',
])

/** Whether the probe is part of a program, and not of a text or a comment in it. */
function isCalledIn(script: string): boolean {
  return (
    script.includes('page_probe') &&
    [...jsTokens(script)].some(
      ({ type, value }) => !texts.has(type) && value.includes('page_probe'),
    )
  )
}

/** What a script element runs; nothing where it holds data (HTML, section 4.12.1). */
function programIn({ name, attribute, text }: Element): string {
  const isProgram = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i
  return name === 'script' && isProgram.test(attribute('type')?.trim() ?? '') ? text : ''
}

/** So much of a text as shows what stands there. */
function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 60), at + 120)
}

/** What a page would run, as it stands there. */
function runIn(text: string): string | undefined {
  const at = text.search(executable)
  if (at >= 0) return around(text, at)
  const [found] = elementsOf(text).flatMap((element) => [
    ...element.attributes
      .filter(runsProbe)
      .map((each) => `<${element.name} ${each.name}="${each.value}">`),
    ...[programIn(element)]
      .filter(isCalledIn)
      .map((each) => around(each, each.indexOf('page_probe'))),
  ])
  return found
}

export function pages({ control }: Handoff): ClientScenario {
  return scenario({
    id: 'markup-in-callback',
    title:
      'callbacks whose parameters contain markup, and a refusal of the token endpoint that does',
    control,
    async drive({ begin, user, newUser }) {
      const denied = begin(user)
      const flow = await user.consent(denied, {
        action: 'error',
        error: 'access_denied',
        error_description: markup,
      })
      const url = (changes: Record<string, string | undefined>): string =>
        user.tampered(flow, changes)
      await user.follow(flow, url({ state: markup }))
      await user.follow(flow, url({ state: undefined, error: markup, error_uri: address }))
      await user.follow(
        flow,
        url({
          state: undefined,
          error: undefined,
          error_description: undefined,
          code: markup,
          probe: markup,
        }),
      )
      await user.follow(flow, url({ error_uri: address }))
      const other = newUser('refused')
      const faults = [{ fault: 'token-error-markup', value: markup }] as const
      await other.approve(begin(other), { faults }).catch(unlessUnreached)
    },
    checks: [check('oauth-client/escape-pages', 'escapes what it prints', (t) => escapes(t, 4))],
  })
}

/** What comes back of an authorization of its own each, since a client may look at nothing more after it. */
const lastAnswers = [
  ['approve', { iss: markup }],
  ['deny', { iss: markup }],
  ['deny', { error_uri: markup }],
] as const

export function pagesOfLastAnswers({ control }: Handoff): ClientScenario {
  return scenario({
    id: 'markup-in-last-answer',
    title: 'answers whose issuer, or whose page about the error, is markup',
    control,
    async drive({ begin, newUser }) {
      for (const [action, changes] of lastAnswers) {
        const user = newUser('answered')
        const flow = await user.consent(begin(user), { action })
        await user.follow(flow, user.tampered(flow, changes))
      }
    },
    checks: [
      check('oauth-client/escape-pages', 'escapes what it prints of it', (t) =>
        escapes(t, lastAnswers.length, isProbe),
      ),
    ],
  })
}

/** What comes back of a login. */
export const loginAnswers = [
  [{ action: 'error', error: 'access_denied', error_description: markup }, { error_uri: markup }],
  [{ action: 'approve' }, { iss: markup }],
] as const

export function isProbe({ url }: { readonly url: string }): boolean {
  return url.includes('page_probe')
}

/** No page prints what it got; `least` are the visits that have to be answered for that. */
export function escapes(
  t: Transcript,
  least: number,
  isOne: (request: RequestEvent) => boolean = () => true,
): Judgement {
  const visits = t.requests('browser').map((request) => ({ request, answer: t.answer(request) }))
  const served = visits.filter(({ answer }) => answer?.type === 'response')
  const made = served.filter(({ request }) => isOne(request))
  if (made.length < least)
    return inconclusive(`only ${made.length} of ${least} callbacks were answered`)
  const [broken] = served.flatMap(({ answer }) => {
    const actual = runOn(answer)
    return actual === undefined ? [] : [{ answer, actual }]
  })
  if (!broken) return pass(`${served.length} pages`, cite(...served.map(({ answer }) => answer)))
  return violation(
    'a page prints what came in a link, in a callback or from the provider, without escaping it',
    {
      expected: '&lt;script&gt;…, &quot; in attributes, and links by https alone',
      actual: broken.actual,
    },
    cite(broken.answer),
  )
}

/** Whether a browser would interpret it as markup; without a content type it guesses. */
export function isPage(
  answer: NonNullable<Answer>,
): answer is NonNullable<Answer> & { type: 'response' } {
  if (answer.type !== 'response') return false
  const type = answer.headers['content-type'] ?? ''
  return type === '' || /html|xml|svg/i.test(type)
}

function runOn(answer: Answer): string | undefined {
  return answer && isPage(answer) ? runIn(answer.body?.text ?? '') : undefined
}
