import { describeExamples } from '../../../testing.ts'
import { requestName } from '../../wire.ts'
import type { AskOptions } from '../script.ts'
import { landing, options, recording, type Cases } from '../testing.ts'
import {
  presetRedirect,
  presetRedirectWithQuery,
  requestForms,
  requestInAnswer,
  twoRequests,
} from './requests.ts'
import { byId, carries, detected, everyOne, unaltered, verbatim } from './testing.ts'

const form = (ask: AskOptions): Record<string, Cases> => ({
  'adk-credential/client/request-detected': detected(ask),
  'adk-credential/client/auth-uri-unaltered': unaltered(),
  'adk-credential/client/request-answered': everyOne,
  'adk-credential/client/answer-id': byId(ask),
  'adk-credential/client/answer-carries-auth-config': carries(ask),
  'adk-credential/client/callback-verbatim': verbatim(ask),
})

/** A first call, and a second one whose URL has the redirect URI already. */
const second = () => recording().approved().answer().asked({ redirectUri: landing })
const openedAs = (change: (url: string) => string) => {
  const written = second()
  return written.opened(change(written.ask.authUri))
}
const first = { 'there is no second call': recording().approved().answer() }

const preset: Record<string, Cases> = {
  'adk-credential/client/request-detected': {
    pass: { 'it was opened': openedAs((url) => url) },
    violation: { 'it was waited for': second().gaveUp('opened') },
    inconclusive: { ...first, 'nobody waited': second() },
  },
  'adk-credential/client/auth-uri-unaltered': {
    pass: { 'it was kept': openedAs((url) => url) },
    violation: {
      'it is there twice': openedAs((url) => `${url}&redirect_uri=${encodeURIComponent(landing)}`),
      'it was replaced': openedAs((url) => url.replace('callback', 'other')),
      'it was taken away': openedAs((url) => url.replace(/redirect_uri=[^&]*/, '')),
    },
    inconclusive: { ...first, 'it was not opened': second() },
  },
}

/** The same, whose redirect URI is that of the application with a query. */
const queried = () =>
  recording()
    .approved()
    .answer()
    .asked({ redirectUri: `${landing}?of=agent` })
const queriedAs = (change: (url: string) => string) => {
  const written = queried()
  return written.opened(change(written.ask.authUri))
}

const presetQuery: Record<string, Cases> = {
  'adk-credential/client/auth-uri-unaltered': {
    pass: { 'it was kept': queriedAs((url) => url) },
    violation: {
      'its own is there': queriedAs((url) => url.replace('%3Fof%3Dagent', '')),
      'it is there twice': queriedAs((url) => `${url}&redirect_uri=${encodeURIComponent(landing)}`),
    },
    inconclusive: { ...first, 'it was not opened': queried() },
  },
}

const two = (...opened: readonly number[]) => {
  const written = recording().asked({}, {})
  for (const nth of opened) {
    const ask = written.asks[nth]!
    written.opened(written.url(ask)).back(`${landing}?code=x&state=${ask.state}`)
  }
  return written
}
const answered = (written: ReturnType<typeof two>, ...nths: readonly number[]) => {
  for (const nth of nths) {
    const ask = written.asks[nth]!
    written.answer({ id: ask.id }, written.config(undefined, {}, ask))
  }
  return written
}

/** URLs that the application makes itself do not tell which request they are for. */
function selfMade() {
  const written = recording('response').asked({}, {})
  for (const [nth, ask] of written.asks.toReversed().entries()) {
    const url = `https://127.0.0.1:4300/authorize?state=own-${nth}&redirect_uri=${encodeURIComponent(landing)}`
    written.opened(url).back(`${landing}?code=x&state=own-${nth}`)
    written.answer({ id: ask.id }, written.config(undefined, {}, ask))
  }
  return written
}

const several: Record<string, Cases> = {
  'adk-credential/client/every-request-answered': {
    pass: {
      both: answered(two(0, 1), 0, 1),
      'the second one first': answered(two(1, 0), 1, 0),
      'with URLs of its own': selfMade(),
    },
    violation: {
      'the second was not opened': two(0).gaveUp('opened'),
      'the second was not answered': answered(two(0, 1), 0).gaveUp('answered'),
    },
    inconclusive: {
      'one was asked for': recording().approved().answer(),
      'neither was opened': recording().asked({}, {}).gaveUp('opened'),
      'nobody waited': answered(two(0, 1), 0),
    },
  },
  'adk-credential/client/answer-id': {
    pass: { 'its own': answered(two(0, 1), 0, 1), 'with URLs of its own': selfMade() },
    violation: { 'an invented one': two(0).answer({ id: 'adk-1' }) },
    inconclusive: { 'the other one': answered(two(0, 1), 1), 'nothing came back': two() },
  },
  'adk-credential/client/answer-carries-auth-config': {
    pass: {
      'each its own': bothAnswered(),
      'with URLs of its own': selfMade(),
      'its own, where one alone was answered': answered(two(0, 1), 0),
    },
    violation: {
      'the first with that of the second': bothAnswered({ config: 1 }),
    },
    inconclusive: {
      'one was asked for': recording().approved().answer(),
      'none was answered': two(0, 1),
    },
  },
  'adk-credential/client/callback-verbatim': {
    pass: { 'each its own': bothAnswered(), 'with URLs of its own': selfMade() },
    violation: { 'the first with that of the second': bothAnswered({ callback: 1 }) },
    inconclusive: {
      'one was asked for': recording().approved().answer(),
      'nothing came back': two(),
    },
  },
}

/** The answer to the first may have what belongs to the other one. */
function bothAnswered({ config = 0, callback = 0 } = {}) {
  const written = two(0, 1)
  const answer = (nth: number, own: number, back: number) => {
    const url = `${landing}?code=x&state=${written.asks[back]!.state}`
    return written.answer({ id: written.asks[nth]!.id }, written.config(url, {}, written.asks[own]))
  }
  answer(0, config, callback)
  return answer(1, 1, 1)
}

/** An answer that asks for something else. */
const next = () => recording().approved().answeredBy({})

/** The same, with URLs that the application makes itself. */
function nextMade() {
  const url = (nth: number) =>
    `https://127.0.0.1:4300/authorize?state=own-${nth}&redirect_uri=${encodeURIComponent(landing)}`
  const back = (nth: number) => `${landing}?code=x&state=own-${nth}`
  const written = recording('response').asked().opened(url(0)).back(back(0)).answeredBy({})
  return written.opened(url(1)).back(back(1)).answer()
}

const inAnswer: Record<string, Cases> = {
  'adk-credential/client/request-detected': {
    pass: { 'it was opened': next().opened(), 'with URLs of its own': nextMade() },
    violation: { 'it was waited for': next().gaveUp('opened') },
    inconclusive: { 'there is none': recording().approved().answer(), 'nobody waited': next() },
  },
  'adk-credential/client/every-request-answered': {
    pass: { both: next().opened().back().answer(), 'with URLs of its own': nextMade() },
    violation: {
      'the second was not opened': next().gaveUp('opened'),
      'the second was not answered': next().opened().back().gaveUp('answered'),
    },
    inconclusive: {
      'there is none': recording().approved().answer(),
      'nobody waited': next().opened().back(),
      'its page may go on by a script, which is not run': next()
        .opened()
        .back(undefined, '<script>fetch("/finish", { method: "POST" })</script>')
        .gaveUp('answered'),
    },
  },
  'adk-credential/client/answer-carries-auth-config': {
    pass: {
      'each its own': nextAnswered(),
      'with URLs of its own': nextMade(),
      'its own, where the first alone was answered': next().opened().back(),
    },
    violation: {
      'the second has another name': nextAnswered({ name: 'oauth_callback' }),
      'the second with that of the first': nextAnswered({ config: 'first' }),
    },
    inconclusive: {
      'there is none': recording().approved().answer(),
    },
  },
  'adk-credential/client/callback-verbatim': {
    pass: { 'each its own': nextAnswered(), 'with URLs of its own': nextMade() },
    violation: { 'the second with that of the first': nextAnswered({ callback: 'first' }) },
    inconclusive: {
      'there is none': recording().approved().answer(),
    },
  },
  'adk-credential/client/same-session': {
    pass: {
      'where it was asked': nextAnswered(),
      'the first alone was answered': next().opened().back(),
    },
    violation: {
      elsewhere: nextElsewhere(),
      'the first elsewhere, and there is no second': firstElsewhere(),
    },
    inconclusive: { 'there is none': recording().approved().answer() },
  },
}

/** The second one is answered, perhaps with what belongs to the first. */
function nextAnswered(changes: { name?: string; config?: 'first'; callback?: 'first' } = {}) {
  const before = recording().approved()
  const first = before.ask
  const written = before.answeredBy({}).opened().back()
  const { config, callback, ...rest } = changes
  const url = callback && `${landing}?code=x&state=${first.state}`
  return written.answer(rest, written.config(url, {}, config ? first : written.ask))
}

/** The first one is answered in another session, so the agent asks for nothing more. */
function firstElsewhere() {
  const written = recording().approved()
  const functionResponse = { id: written.ask.id, name: requestName, response: written.config() }
  return written.send([{ functionResponse }], [], { sessionId: 'other' })
}

/** The second one is answered in another session. */
function nextElsewhere() {
  const written = next().opened().back()
  const functionResponse = { id: written.ask.id, name: requestName, response: written.config() }
  return written.send([{ functionResponse }], [], { sessionId: 'other' })
}

/** A state that comes back encoded, and the answer with the callback as it came, or changed. */
function reserved(change: (url: string) => string) {
  const written = recording().asked({ reservedState: true }).opened()
  const url = written.redirect()
  return written.back(url).answer({}, written.config(change(url)))
}

const [snake, toolset, among, empty, reservedState] = requestForms

describeExamples(
  [...requestForms, presetRedirect, presetRedirectWithQuery, twoRequests, requestInAnswer],
  {
    [snake!.id]: form({ snake: true }),
    [toolset!.id]: form({ toolset: true }),
    [among!.id]: form({ chatty: true }),
    [empty!.id]: {
      ...form({}),
      'adk-credential/client/auth-uri-unaltered': {
        ...unaltered(),
        pass: {
          'it was filled in': filled(recording().asked({ redirectUri: '' })),
        },
        violation: {
          'one was appended to it': appended(recording().asked({ redirectUri: '' })),
        },
      },
    },
    [reservedState!.id]: {
      ...form({ reservedState: true }),
      'adk-credential/client/auth-uri-unaltered': unaltered({ reservedState: true }),
      'adk-credential/client/callback-verbatim': {
        pass: {
          'as it came': reserved((url) => url),
          'encoded otherwise': reserved((url) => url.replace('%2F', '/')),
        },
        violation: { decoded: reserved(decodeURIComponent) },
        inconclusive: verbatim().inconclusive,
      },
    },
    'preset-redirect': preset,
    'preset-redirect-with-query': presetQuery,
    'two-requests': several,
    'request-in-answer': inAnswer,
  },
  options,
)

function filled(written: ReturnType<typeof recording>) {
  const own = `redirect_uri=${encodeURIComponent(landing)}`
  return written.opened(written.ask.authUri.replace('redirect_uri=', own))
}

function appended(written: ReturnType<typeof recording>) {
  return written.opened(`${written.ask.authUri}&redirect_uri=${encodeURIComponent(landing)}`)
}
