/** Judgements about what the user is shown, and what is opened before they agree. */

import {
  cite,
  inconclusive,
  notApplicable,
  isAfter,
  pass,
  show,
  violation,
  watched,
  type Evidence,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { clientFrames } from '../../wire/frames.ts'
import { isRecord, membersOf, textIn } from '../../wire/values.ts'
import type { CallJudge, Judge } from './scenarios/define.ts'
import { agreedIn, callOf, openedFor, promptIn, shows, textOf, type CallView } from './view.ts'

/** That the prompt shows a part of what the client was asked. */
const showsPart =
  (
    what: string,
    partOf: (params: Readonly<Record<string, unknown>>) => string,
    name?: string,
  ): Judge =>
  (t) => {
    const call = callOf(t, name)
    const [asking] = call.askings
    const prompt = promptIn(call)
    if (!asking) return inconclusive('the client was not asked for an authorization')
    if (!prompt) return inconclusive('its user was asked nothing')
    // Who asks whether their user is sure may show it in either prompt.
    const until = openedFor(call)
    const shown = call.prompts.filter(
      (each) => isAfter(each, asking.frame.event) && !(until && isAfter(each, until)),
    )
    const evidence = cite(asking.frame.event, ...shown)
    const part = partOf(asking.params)
    // The servers may stand on the same machine: their addresses say nothing of where the URL leads.
    const { places } = t.steps('client')[0]?.detail ?? {}
    const servers = Array.isArray(places)
      ? places.map(textIn).filter((each) => URL.canParse(each))
      : []
    const text = shown.map(textOf).join('\n')
    const rest = servers.reduce((left, each) => left.replaceAll(new URL(each).host, ' '), text)
    if (shows(rest, part)) return pass(`${what} is shown`, evidence)
    const difference = { expected: part, actual: text }
    return violation(`the prompt does not show ${what}`, difference, evidence)
  }

export const showsDomainOf = (name?: string): Judge =>
  showsPart(
    'the domain of the authorization server',
    ({ url }) => (URL.canParse(textIn(url)) ? new URL(textIn(url)).hostname : ''),
    name,
  )
export const showsDomain = showsDomainOf()
/** Whose the host is; a client need not ask anybody about a URL that it does not open. */
export const showsOrRefuses =
  (domain: string): Judge =>
  (t, context) => {
    const call = callOf(t)
    const [asking] = call.askings
    const [reply] = call.replies
    return asking && reply && !promptIn(call) && call.opened.length === 0
      ? pass('the client refuses it', cite(asking.frame.event, reply.event))
      : showsPart('the domain of the authorization server', () => domain)(t, context)
  }

export const showsMessageOf = (name?: string): Judge =>
  showsPart('the message of the server', ({ message }) => textIn(message), name)
export const showsMessage = showsMessageOf()

/** How it is known that enough was seen: the user agreed, or somebody watched while they had not. */
function reachOf(t: Transcript, call: CallView): readonly Evidence[] | string {
  const asked = call.askings[0]?.frame.event
  if (!asked) return 'the client was not asked for an authorization'
  const agreed = agreedIn(call)
  if (agreed) return cite(asked, agreed)
  if (watched(t, asked) === undefined) return 'the run did not watch what happened next'
  return cite(asked)
}

/** That nothing is opened before the user agrees, or without that. */
export const opensAsAgreed: CallJudge = (call, t, { declared }) => {
  const agreed = agreedIn(call)
  const early = call.opened.find((event) => !isAfter(event, agreed))
  if (early) {
    return violation(
      'a URL was opened without the consent of the user',
      { expected: 'nothing is opened until the user agrees', actual: show(early.detail['url']) },
      cite(call.askings[0]?.frame.event, early),
    )
  }
  const reach = reachOf(t, call)
  if (typeof reach === 'string') return inconclusive(reach)
  // Who has shown another prompt since then waits for that one.
  const waits = call.prompts.some((each) => isAfter(each, call.decisions.at(-1)))
  if (declared.opens && agreed && !waits && call.opened.length === 0)
    return inconclusive('nothing was opened at all')
  return pass('nothing was opened before the user had agreed', reach)
}

/** That a consent is for one URL: the first call was agreed to, the second one is not answered. */
export const asksAgain: Judge = (t, context) => {
  if (!openedFor(callOf(t))) return inconclusive('nothing was opened at first')
  return opensAsAgreed(callOf(t, 'call-2'), t, context)
}

/** That a decline is no consent to what is asked later: nobody has agreed to anything here. */
export const asksAfterDecline: Judge = (t, context) => {
  const declined = callOf(t).decisions.some(({ detail }) => detail['action'] === 'decline')
  if (!declined) return inconclusive('the user could not decline at first')
  return opensAsAgreed(callOf(t, 'call-2'), t, context)
}

/** That one authorization request is opened one time. */
export const opensOnce: CallJudge = (call, _, { declared }) => {
  if (!declared.opens) return notApplicable('the client opens no URL itself (declares.opens)')
  const [first] = call.opened
  const [reply] = call.replies
  if (!first || !reply) return inconclusive('the client did not open the URL and answer')
  const again = call.opened.slice(1).find(({ detail }) => detail['by'] === first.detail['by'])
  if (!again) return pass('it was opened once', cite(first, reply.event))
  return violation(
    'the URL was opened more than once',
    { expected: 'one browser', actual: show(again.detail['url']) },
    cite(first, again),
  )
}

/** What of a URL has to stay as it is: its place, and the values of every parameter but the redirect URI. */
function keptOf(url: string): ReadonlyMap<string, string> {
  if (!URL.canParse(url)) return new Map([['url', url]])
  const { origin, pathname, searchParams } = new URL(url)
  const names = [...new Set(searchParams.keys())].filter((name) => name !== 'redirect_uri')
  return new Map([
    ['url', origin + decoded(pathname)],
    ...names.map((name) => [name, show(searchParams.getAll(name))] as const),
  ])
}

/** What need not be encoded may be (RFC 3986 §2.4); what would delimit parts of the URL stays as it is (§2.2). */
function decoded(path: string): string {
  try {
    return decodeURIComponent(
      path.replace(/%(2f|3f|23|25)/gi, (escape) => `%25${escape.slice(1).toUpperCase()}`),
    )
  } catch {
    return path
  }
}

/** That what is opened is what the server asked for; parameters may be added. */
export const opensWhole: CallJudge = (call) => {
  const [asking] = call.askings
  const opened = openedFor(call)
  if (!asking || !opened) return inconclusive('nothing was opened')
  const evidence = cite(asking.frame.event, opened)
  const actual = keptOf(textIn(opened.detail['url']))
  const wanted = [...keptOf(textIn(asking.params['url']))]
  const lost = wanted.find(([name, value]) => actual.get(name) !== value)
  if (!lost) return pass('every parameter stands in it', evidence)
  const [name, value] = lost
  return violation(
    'the opened URL differs from the one that the server gave',
    { expected: `${name}: ${value}`, actual: actual.get(name) ?? `no ${name}` },
    evidence,
  )
}

/** That the client asks the authorization server for nothing; the harness sends no browser there. */
export const fetchesNothing: CallJudge = (call, t) => {
  const [visit] = call.visits
  if (visit) {
    return violation(
      'the client asked the authorization server for something itself',
      { expected: 'no request', actual: `${visit.method} ${visit.url}` },
      cite(call.askings[0]?.frame.event, visit),
    )
  }
  const reach = reachOf(t, call)
  if (typeof reach === 'string') return inconclusive(reach)
  return pass('nothing was fetched', reach)
}

/** That the capability is declared as an object. */
export const declaresCapability: Judge = (t) => {
  const requests = clientFrames(t).filter(
    ({ message }) => message.kind === 'request' && message.method === 'initialize',
  )
  const name = 'delegated_authorization'
  for (const { message, event } of requests) {
    const { capabilities } = membersOf(message.value['params'])
    const { [name]: declared, experimental } = membersOf(capabilities)
    if (isRecord(declared)) return pass('it is declared', cite(event))
    const elsewhere = membersOf(experimental)[name]
    if (declared === undefined && elsewhere === undefined) continue
    return violation(
      `${name} is declared otherwise than as a capability of its own`,
      { expected: `{"${name}": {}}`, actual: show(capabilities) },
      cite(event),
    )
  }
  const [first] = requests
  if (!first) return inconclusive('no client has said what it can do')
  return inconclusive('the client does not declare delegated_authorization', cite(first.event))
}
