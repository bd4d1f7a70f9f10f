import { describeExamples } from '../../../testing.ts'
import { waits } from '../vocabulary.ts'
import { options, recording, type Cases, type Ending, type Recording } from '../testing.ts'
import { acknowledgementScenarios } from './acknowledgements.ts'
import { overtakenScenarios } from './overtaken.ts'
import { delivered, deliveredOnce, invokedOnce, surfaced } from './testing.ts'

const unfinished = 'neither another attempt nor a report yet'
const untold = 'the model was not told'
const unheard = 'the model was not asked'
const never = { 'no invocation': recording().ask().gaveUp(waits.invocation) }
type Fields = Readonly<Record<string, unknown>>

const placeholder = 'Invoked; the result follows.'

/** Attempts with these pauses in between, each of which fails. */
const attempts = (ending: Ending, ...pauses: readonly number[]): Recording =>
  another(recording(), ending, ...pauses)
const another = (t: Recording, ending: Ending, ...pauses: readonly number[]): Recording =>
  pauses.reduce((t, ms) => t.after(ms).invoke({}, ending), t.ask().invoke({}, ending))
const thrice = (...pauses: readonly number[]): Recording =>
  [1, 2, 3].reduce((t) => another(t, 503, ...pauses), recording())

/** Two attempts, and what they say. */
const tried = (first: Fields, second: Fields): Recording =>
  recording().ask().invoke(first, 503).after(300).invoke(second)

const attempted = {
  'rap-oauth/runtime/invocation-faithful': {
    pass: { 'the same twice': attempts(503, 100) },
    violation: {
      'without the arguments': tried({}, { arguments: {} }),
      'with another operation': tried({}, { operation: 'list' }),
    },
    inconclusive: { ...never, 'one attempt': attempts(503) },
  },
  'rap-oauth/runtime/user-id-of-own-user': {
    pass: {
      'the same twice': tried({ user_id: 'user-1' }, { user_id: 'user-1' }),
      'never any': tried({ user_id: null }, { user_id: null }),
    },
    violation: { 'without it': tried({ user_id: 'user-1' }, { user_id: null }) },
    inconclusive: { ...never, 'one attempt': attempts(503) },
  },
  'rap-oauth/runtime/deliver-result': delivered,
} satisfies Record<string, Cases>

/** A runtime that answers every tool call at once by a placeholder. */
const twin = recording('twin').running().answer(placeholder).model().say().result()

const toldOf = (ending: Ending): Cases => ({
  pass: {
    'by an error result': attempts(ending).answer('Error: the tool is unavailable').model(),
    'by a message of its own': attempts(ending)
      .tell({ role: 'system', text: 'The call of workspace_list_items did not work.' })
      .model(),
    'in another language': [
      attempts(ending).answer('Das Werkzeug hat den Aufruf abgelehnt.').model(),
      {},
      twin,
    ],
    'after a placeholder': [
      attempts(ending).answer(placeholder).model().answer('Error: refused').model(),
      {},
      twin,
    ],
    'when the user speaks next': attempts(ending).gaveUp(untold).answer('Error: refused').say(),
  },
  violation: {
    never: attempts(ending).gaveUp(untold).say(),
    'never, and nothing else either': attempts(ending)
      .gaveUp(untold)
      .say({ asks: false })
      .gaveUp(unheard),
    'by what every call is told that its user interrupts': [
      attempts(ending).gaveUp(untold).answer('Error: interrupted').say(),
      {},
      recording('twin').running().answer('Error: interrupted').say().result(),
    ],
    'by a placeholder alone': [
      attempts(ending).answer(placeholder).model().gaveUp(untold).say(),
      {},
      twin,
    ],
  },
  inconclusive: {
    ...never,
    'it did not fail': attempts('open').gaveUp(untold),
    'the run did not wait for it': attempts(ending),
    'the user did not speak afterwards': attempts(ending).gaveUp(untold),
    'it was waited for until the user spoke only': attempts(ending).gaveUp(unfinished).say(),
  },
})

const retried = (ending: Ending): Cases => ({
  ...toldOf(ending),
  pass: { ...toldOf(ending).pass, 'by another attempt': attempts(ending, 100).gaveUp(untold) },
})

const refusal = (status: number): [string, Record<string, Cases>] => [
  `acknowledged-with-${status}`,
  {
    'rap-oauth/runtime/no-retry-on-4xx': {
      pass: { once: attempts(status).window() },
      violation: { again: attempts(status, 100).window() },
      inconclusive: {
        ...never,
        'it was not refused': attempts('open').window(),
        'the run did not watch long enough': attempts(status),
      },
    },
    'rap-oauth/runtime/report-undeliverable': toldOf(status),
  },
]

/** An attempt that failed, and another one that was refused. */
const refusedLater = (ending: Ending = 400): Recording =>
  recording().ask().invoke({}, 503).after(300).invoke({}, ending)

const calledBack = {
  'rap-oauth/runtime/surface-auth-url': surfaced,
  'rap-oauth/runtime/deliver-result': delivered,
  'rap-oauth/runtime/no-invocation-retry': {
    ...invokedOnce,
    inconclusive: {
      ...invokedOnce.inconclusive,
      'the oauth message was refused': recording()
        .ask()
        .invoke({}, 502)
        .oauth('oauth', { answer: 404 })
        .invoke()
        .window(),
      'the invocation failed before the oauth message was answered': recording()
        .ask()
        .invoke({}, 502)
        .oauth()
        .invoke()
        .window(),
    },
  },
}

/** A result, then an invocation that is answered 502, then what the model has from there on. */
const overtaken = (then: (t: Recording) => Recording): Recording => {
  const t = recording().ask().invoke({}, 'open').result().given()
  const place = { channel: 'invocation', exchange: 'x2', call: 'call-1' } as const
  return then(t.event({ type: 'response', ...place, status: 502, headers: {} }).window())
}

const kept: Cases = {
  pass: {
    'the result, as before': overtaken((t) => t.say()),
    'a text of the result that tells of an error': overtaken((t) =>
      t.answer(`Error: no such list (${t.last('result')})`).say(),
    ),
  },
  violation: {
    ...delivered.violation,
    'an error in its place': overtaken((t) => t.answer('Error: HTTP status 502').say()),
    'an error beside it': overtaken((t) =>
      t
        .tell({
          role: 'tool',
          text: 'Error: failed',
          toolResults: [{ callId: 'model-1', text: 'Error: failed' }],
        })
        .say(),
    ),
  },
  inconclusive: {
    ...delivered.inconclusive,
    'the invocation was not answered': recording().ask().invoke({}, 'open').result().given(),
    'the model was not asked later': overtaken((t) => t.say({ asks: false })),
  },
}

describeExamples(
  [...acknowledgementScenarios, ...overtakenScenarios],
  {
    ...Object.fromEntries([400, 401, 404, 408, 409, 425, 429].map(refusal)),
    'acknowledged-with-503-then-400': {
      'rap-oauth/runtime/no-retry-on-4xx': {
        pass: { 'refused once': refusedLater().window() },
        violation: {
          'again after the refusal': refusedLater().after(600).invoke({}, 400).window(),
        },
        inconclusive: {
          ...never,
          'it failed once, and that was all': attempts(503).window(),
          'it never was refused': refusedLater(503).window(),
          'the run did not watch long enough': refusedLater(),
        },
      },
      'rap-oauth/runtime/report-undeliverable': toldOf(400),
    },
    'acknowledged-with-503': {
      ...attempted,
      'rap-oauth/runtime/retry-on-failure': retried(503),
      'rap-oauth/runtime/retry-with-backoff': {
        pass: {
          doubling: attempts(503, 100, 200, 400),
          'growing slowly': attempts(503, 1000, 1000, 1500),
          'at the second call, where the machine was busy at the first': another(
            attempts(503, 900, 200, 200),
            503,
            100,
            200,
            400,
          ),
        },
        violation: {
          'at a steady pace': thrice(500, 500, 500),
          'at once': thrice(0, 0, 0),
          'once only': attempts(503, 100).gaveUp(untold).say(),
          'not at all, but reported': attempts(503).answer('Error: unavailable').model(),
        },
        inconclusive: {
          ...never,
          'it did not fail': attempts('open'),
          'the recording stops': attempts(503, 100),
          'at delays for which the run does not wait': attempts(503, 12_000)
            .gaveUp(untold, { within: 20_000 })
            .say(),
          'at a steady pace, but the machine may have been busy': attempts(503, 500, 500, 500),
        },
      },
    },
    'invocation-reset': {
      ...attempted,
      'rap-oauth/runtime/retry-on-failure': retried('ECONNRESET'),
    },
    'acknowledged-with-503-for-good': {
      'rap-oauth/runtime/report-undeliverable': {
        ...toldOf(503),
        inconclusive: {
          ...toldOf(503).inconclusive,
          'it still tries again': attempts(503, 2000, 4000, 8000, 16_000)
            .gaveUp(untold, { within: 5000 })
            .say(),
        },
      },
    },
    'callback-before-acknowledgement': calledBack,
    'callback-before-failure': calledBack,
    'result-before-failure': { 'rap-oauth/runtime/deliver-result': kept },
    'result-before-acknowledgement': {
      'rap-oauth/runtime/deliver-result': delivered,
      'rap-oauth/runtime/idempotent-duplicates': deliveredOnce,
    },
  },
  options,
)
