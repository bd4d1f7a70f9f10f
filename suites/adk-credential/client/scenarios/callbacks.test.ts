import { describeExamples } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import {
  agentError,
  callbacksAtOnce,
  denied,
  deniedBefore,
  doubleCallback,
  doubleDenial,
  failedAtProvider,
  foreignDenial,
  foreignState,
  foreignStatesAlike,
  missingState,
  missingStateDenial,
  talkWhilePending,
} from './callbacks.ts'
import { beforeCallback, inSession, verbatim } from './testing.ts'

const nothing = { 'nothing was asked for': recording() }

/** An AuthConfig that is answered with that. */
const answerWith = (authResponseUri?: string) => ({
  authScheme: { type: 'oauth2' },
  exchangedAuthCredential: {
    authType: 'oauth2',
    oauth2: { clientId: 'c', ...(authResponseUri ? { authResponseUri } : {}) },
  },
})

const denial: Cases = {
  pass: {
    'by the callback': recording()
      .asked()
      .opened()
      .denied()
      .answer({}, answerWith('http://127.0.0.1:4300/callback?error=access_denied&state=s')),
    'by a member of its own': recording()
      .asked()
      .opened()
      .denied()
      .answer({}, { error: 'access_denied' }),
    'by words': recording()
      .asked()
      .opened()
      .denied()
      .send([{ text: 'They denied.' }], []),
    'by words beside an answer of another name': besideWords(),
    'by an answer without a credential': withoutCredential(),
    'by a result of the paused call': withoutCredential({
      name: 'list_items',
      response: { error: 'access_denied' },
    }),
  },
  violation: {
    'by an answer of another name': recording()
      .asked()
      .opened()
      .denied()
      .answer(
        { name: 'oauth_callback' },
        answerWith('http://127.0.0.1:4300/callback?error=access_denied&state=s'),
      ),
    'by an answer without a name': recording()
      .asked()
      .opened()
      .denied()
      .answer({ name: undefined }, { error: 'access_denied' }),
    'by the AuthConfig under another name': withoutCredential({ name: 'oauth_callback' }),
    'by a callback without the error': recording()
      .asked()
      .opened()
      .denied()
      .answer({}, answerWith('http://127.0.0.1:4300/callback?code=None&state=s')),
    'by the AuthConfig as it came': recording().asked().opened().denied().answer({}, answerWith()),
    'by nothing': recording().asked().opened().denied().gaveUp('answered'),
    'in another session': recording()
      .asked()
      .opened()
      .denied()
      .send([{ text: 'They denied.' }], [], { sessionId: 'other' }),
  },
  inconclusive: {
    ...nothing,
    'they approved': recording().approved(),
    'they did not come back': recording().asked().opened(),
    'nobody waited': recording().asked().opened().denied(),
  },
}

function besideWords() {
  const written = recording().asked().opened().denied()
  const answer = { id: written.ask.id, name: 'oauth_callback', response: {} }
  return written.send([{ functionResponse: answer }, { text: 'They denied.' }], [])
}

/** In the dialect of responses. */
function withoutCredential(changes: Readonly<Record<string, unknown>> = {}) {
  const written = recording('response').asked().begun().opened().denied()
  return written.answer({ response: written.ask.config, ...changes })
}

const routed = () => recording('response').asked().begun().opened()

const foreign: Cases = {
  pass: {
    'it was not passed on': recording().asked().opened().foreign().window(),
    'the genuine one was': recording().asked().opened().foreign().window().back().answer(),
  },
  violation: {
    'it was passed on': recording().asked().opened().foreign().answer(),
    'it was, and the genuine one as well': recording()
      .asked()
      .opened()
      .foreign()
      .answer()
      .back()
      .answer(),
    'at the consent leg': routed()
      .foreign()
      .completed({ state: 'state-of-somebody-else' })
      .window(),
  },
  inconclusive: {
    ...nothing,
    'it did not come': recording().asked().opened(),
    'nobody watched': recording().asked().opened().foreign(),
  },
}

const deniedElsewhere = () => recording().asked().opened().foreign({ error: 'access_denied' })

const foreignDenied: Cases = {
  pass: {
    'it was not passed on': deniedElsewhere().window(),
    'the genuine one was': deniedElsewhere().window().back().answer(),
  },
  violation: { 'it was passed on': deniedElsewhere().answer() },
  inconclusive: { ...nothing, 'nobody watched': deniedElsewhere() },
}

const stateless = (parameters?: Readonly<Record<string, unknown>>): Cases => {
  const came = () => recording().asked().opened().foreign(parameters, {})
  return {
    pass: {
      'it was not passed on': came().window(),
      'the genuine one was': came().window().back().answer(),
    },
    violation: {
      'it was passed on': came().answer(),
      'at the consent leg': routed()
        .foreign(parameters, {})
        .completed({ state: undefined })
        .window(),
    },
    inconclusive: { ...nothing, 'nobody watched': came() },
  }
}

const once: Cases = {
  pass: {
    'one answer': recording().approved().answer().back().window(),
    'a refused one, and another': recording()
      .approved()
      .answer({}, undefined, true)
      .answer()
      .back()
      .window(),
  },
  violation: {
    'two answers': recording().approved().answer().back().answer(),
    'two credentials': routed().back().completed().answer().back().completed(),
  },
  inconclusive: {
    ...nothing,
    'nothing was answered': recording().approved().back().window(),
    'it was loaded once': recording().approved().answer().window(),
    'nobody watched': recording().approved().answer().back(),
  },
}

const twiceDenied = () => recording().asked().opened().denied()
const inWords = () => twiceDenied().send([{ text: 'They denied.' }], [])
const elsewhere = { sessionId: 'other' }

const denialOnce: Cases = {
  pass: {
    'one answer': twiceDenied().answer().denied().window(),
    'by words': inWords().denied().window(),
    'by words, twice': inWords()
      .denied()
      .send([{ text: 'They denied.' }], [])
      .window(),
    'without a credential': withoutCredential().denied().window(),
  },
  violation: {
    'two answers': twiceDenied().answer().denied().answer(),
    'two answers without a credential': answeredAgain(),
  },
  inconclusive: {
    ...nothing,
    'nothing was answered': twiceDenied().denied().window(),
    'another session was told': twiceDenied()
      .send([{ text: 'They denied.' }], [], elsewhere)
      .denied()
      .window(),
    'they approved, and something was said': recording()
      .approved()
      .send([{ text: 'I am back.' }], [])
      .back()
      .window(),
    'it was loaded once': inWords().window(),
    'nobody watched': inWords().denied(),
  },
}

function answeredAgain() {
  const written = withoutCredential().denied()
  return written.answer({ response: written.ask.config })
}

const control = recording().approved().shown('{"text":"Thank you"}').answer().shown('Here it is')
const failing = () => recording().approved().answer({}, undefined, true)

const asked = (written: ReturnType<typeof failing>, answer = 'Here it is') =>
  written.step('begin', { text: 'Is it done?' }).shown(answer).window()

const failure: Cases = {
  pass: {
    'in words': [failing().shown('Sorry, something went wrong.'), {}, control],
    'by a code with an underscore': [failing().shown('{"status":"auth_failed"}'), {}, control],
    'by a symbol': [failing().shown('\u2717'), {}, control],
    'in the answer to what its user says next': [
      asked(failing().window(), '{"text":"That failed."}'),
      {},
      control,
    ],
    'in two characters': [failing().shown('\u5931\u8d25'), {}, control],
    'on the page of the callback': [
      recording().approved().answer({}, undefined, true).back(undefined, '<p>Failed</p>'),
      {},
      control,
    ],
  },
  violation: {
    'by nothing': [asked(failing().window()), {}, control],
    'by an id': [asked(failing().shown('adk-58b2 conv-ab12_cd')), {}, control],
    'by what is said to its user and by its user in any case': [
      asked(
        recording().shown('Assistant:').approved().answer({}, undefined, true),
        'You: Is it done? Assistant: I am listening.',
      ),
      {},
      recording().approved().answer(),
    ],
    'by what is always said': [asked(failing().shown('Here it is')), {}, control],
  },
  inconclusive: {
    ...nothing,
    'it did not fail': [recording().approved().answer().window(), {}, control],
    'there is no control': failing().window(),
    'the control failed, too': [failing().window(), {}, failing()],
    'nobody watched': [failing(), {}, control],
    'its user did not ask what came of it': [failing().window(), {}, control],
  },
}

const before = () => recording().asked().opened().denied().answer().shown('Denied.')

const askedAnew: Cases = {
  pass: { 'it is opened': before().asked().opened() },
  violation: { 'it was waited for': before().asked().gaveUp('opened') },
  inconclusive: {
    'nothing was asked for again': before().send([{ text: 'Please' }], []),
    'nobody waited': before().asked(),
  },
}

describeExamples(
  [
    denied,
    deniedBefore,
    failedAtProvider,
    foreignState,
    ...foreignStatesAlike,
    foreignDenial,
    missingState,
    missingStateDenial,
    doubleCallback,
    doubleDenial,
    callbacksAtOnce,
    talkWhilePending,
    agentError,
  ],
  {
    denied: { 'adk-credential/client/denial-forwarded': denial },
    'asked-again-after-denial': { 'adk-credential/client/request-detected': askedAnew },
    'error-at-provider': { 'adk-credential/client/error-forwarded': denial },
    'foreign-state': { 'adk-credential/client/foreign-state-refused': foreign },
    ...Object.fromEntries(
      foreignStatesAlike.map(({ id }) => [
        id,
        { 'adk-credential/client/foreign-state-refused': foreign },
      ]),
    ),
    'foreign-denial': { 'adk-credential/client/foreign-state-refused': foreignDenied },
    'missing-state': { 'adk-credential/client/foreign-state-refused': stateless() },
    'missing-state-denial': {
      'adk-credential/client/foreign-state-refused': stateless({ error: 'access_denied' }),
    },
    'callbacks-at-once': { 'adk-credential/client/answered-once': once },
    'double-callback': { 'adk-credential/client/answered-once': once },
    'double-denial': { 'adk-credential/client/answered-once': denialOnce },
    'talk-while-pending': {
      'adk-credential/client/no-answer-before-callback': beforeCallback,
      'adk-credential/client/callback-verbatim': verbatim(),
      'adk-credential/client/same-session': inSession,
    },
    'agent-error': { 'adk-credential/client/failure-shown': failure },
  },
  options,
)
