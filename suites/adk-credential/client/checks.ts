/** Judgements about what is opened and when something is answered; each says `inconclusive` unless the transcript proves its reach. */

import {
  cite,
  inconclusive,
  isAfter,
  pass,
  show,
  violation,
  watched,
  type Check,
  type Judgement,
  type Recorded,
  type RequestEvent,
  type Transcript,
  worstOf,
} from '../../../harness/engine/index.ts'
import { finishesByScript } from '../../oauth-client/arrival.ts'
import type { Declared } from './configuration.ts'
import { isSafe, sameUrl } from './urls.ts'
import { answersOf, askedOf, cameBack, type Asked } from './view.ts'

export type Judge = Check<Declared>['judge']

export function check(requirement: string, title: string, judge: Judge): Check<Declared> {
  return { requirement, title, judge }
}

const notDelivered = 'no credential request reached the client application'

type JudgeRequest = (asked: Asked, t: Transcript) => Judgement

/** Judges the nth request of a call, by default the first one of the first. */
export function ofRequest(judge: JudgeRequest, call?: string, nth = 0): Judge {
  return (t) => {
    const asked = askedOf(t, call)[nth]
    return asked ? judge(asked, t) : inconclusive(notDelivered)
  }
}

/** Judges so many requests: the worst judgement, or that of the last. */
export function ofEvery(many: number, judge: JudgeRequest): Judge {
  return (t) => {
    const all = Array.from({ length: many }, (_, nth) => askedOf(t)[nth])
    const judged = all.map((asked) => (asked ? judge(asked, t) : inconclusive(notDelivered)))
    return worstOf(judged) ?? judged.at(-1)!
  }
}

/** Judges those of so many requests that were answered: that every one is, is a rule of its own (a SHOULD). */
export function ofAnswered(many: number, judge: JudgeRequest): Judge {
  return (t) => {
    const all = askedOf(t)
    const judged = all.filter(({ answers }) => answers.length > 0).map((asked) => judge(asked, t))
    if (all.length < many) judged.push(inconclusive(notDelivered))
    return worstOf(judged) ?? judged.at(-1) ?? inconclusive('no request was answered')
  }
}

/** Judges a request whose user has come back. */
export function whenBack(
  judge: (asked: Asked, callback: Recorded<RequestEvent>, t: Transcript) => Judgement,
): JudgeRequest {
  return (asked, t) => {
    const callback = cameBack(t, asked)
    if (callback) return judge(asked, callback, t)
    return inconclusive('the browser did not come back to the client application')
  }
}

export const afterCallback = (judge: Parameters<typeof whenBack>[0]): Judge =>
  ofRequest(whenBack(judge))

/** Where nothing came although it was waited for. */
export function missing(
  t: Transcript,
  kind: string,
  asked: Asked,
  { message, expected }: { readonly message: string; readonly expected: string },
): Judgement {
  const waited = t
    .steps('gave-up', asked.call)
    .find((step) => step.detail['what'] === kind && isAfter(step, asked.event))
  if (!waited) return inconclusive('the run did not wait for it')
  const actual = `nothing within ${String(waited.detail['within'])} ms`
  return violation(message, { expected, actual }, cite(asked.event, waited))
}

export const detectsRequest = (call?: string, nth?: number): Judge =>
  ofRequest(
    (asked, t) => {
      const [opened] = asked.opened
      if (opened) return pass('the authorization URL was opened', cite(asked.event, opened))
      return missing(t, 'opened', asked, {
        message: 'the credential request was not noticed',
        expected: 'its authorization URL opened, or shown to the user',
      })
    },
    call,
    nth,
  )

export const opensUnaltered = (call?: string): Judge =>
  ofRequest((asked) => {
    const [opened] = asked.opened
    if (!opened) return inconclusive('nothing was opened')
    const url = String(opened.detail['url'])
    const evidence = cite(asked.event, opened)
    const { authUri } = asked
    const redirects = URL.canParse(url) ? new URL(url).searchParams.getAll('redirect_uri') : []
    const wrong = (message: string, expected: string, actual: string): Judgement =>
      violation(message, { expected, actual }, evidence)
    if (authUri !== undefined && !sameUrl(url, authUri, ['redirect_uri']))
      return wrong('the opened URL differs from that of the request', authUri, url)
    const [redirect = ''] = redirects
    if (redirects.length !== 1)
      return wrong(
        'the opened URL has no redirect_uri, or several',
        'one redirect_uri',
        show(redirects),
      )
    const preset =
      authUri === undefined ? '' : (new URL(authUri).searchParams.get('redirect_uri') ?? '')
    if (preset !== '' && redirect !== preset)
      return wrong('the redirect_uri of the request was replaced', preset, show(redirect))
    if (!isSafe(redirect))
      return wrong(
        'the redirect_uri is not a URL that the browser can return to',
        'https, or http on loopback',
        show(redirect),
      )
    return pass('it was opened as it came, with one redirect_uri', evidence)
  }, call)

/** That nothing is answered while the user has not come back. */
export const answersNothingBefore: Judge = ofRequest((asked, t) => {
  const callback = cameBack(t, asked)
  const { id, paused } = asked.request
  const callId = asked.request.dialect === 'call' ? paused : id
  const hasty = answersOf(t).find(
    ({ id: own, message }) =>
      [id, callId].includes(own) &&
      isAfter(message.event, asked.event) &&
      !(callback && isAfter(message.event, asked.callbacks[0])),
  )
  if (hasty) {
    return violation(
      'the request was answered before the browser came back',
      {
        expected: 'no functionResponse until then',
        actual: `a functionResponse ${show(hasty.name)} for ${hasty.id === id ? 'the request' : 'the paused call'}`,
      },
      cite(asked.event, hasty.message.event),
    )
  }
  if (watched(t, asked.event) === undefined)
    return inconclusive('the run did not watch what happened next')
  return pass('nothing was answered while the user thought', cite(asked.event, callback))
})

/** Whether the page of a callback may go on by a script: then nothing that is missing says anything. */
export function goesOnByScript(
  t: Transcript,
  callback: Recorded<RequestEvent> | undefined,
): Judgement | undefined {
  const page = callback && t.answer(callback)
  if (!finishesByScript(page)) return undefined
  return inconclusive(
    'the page of the callback has a script that may go on, and no script is run here: certify through an adapter that visits pages itself (drive.adapter, visits)',
    cite(callback, page),
  )
}

/** That the user who comes back is followed by an answer, for each of so many requests. */
export const answersEvery =
  (many: number): Judge =>
  (t) => {
    const all = askedOf(t).slice(0, many)
    if (all.length < many) return inconclusive(notDelivered)
    const back = all.filter((asked) => cameBack(t, asked))
    const [unopened] = all.filter(({ opened }) => opened.length === 0)
    if (back.length > 0 && unopened) {
      return missing(t, 'opened', unopened, {
        message: `not all of the ${many} credential requests were opened`,
        expected: 'each of them opened',
      })
    }
    if (back.length < many)
      return inconclusive('the browser did not come back to the client application')
    const silent = back.find(({ answers }) => answers.length === 0)
    if (silent) {
      const mayGoOn = goesOnByScript(t, cameBack(t, silent))
      if (mayGoOn) return mayGoOn
      return missing(t, 'answered', silent, {
        message: 'the browser came back, but the credential request was not answered',
        expected: `a functionResponse with the id ${show(silent.request.id)}`,
      })
    }
    return pass('each was answered', cite(...back.map(({ answers }) => answers[0]?.message.event)))
  }
