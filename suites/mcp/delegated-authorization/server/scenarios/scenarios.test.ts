import { describeExamples, withoutShared, type Cases } from '../../../../testing.ts'
import type { Declared } from '../configuration.ts'
import { authorizationUrl, examples, merged, recording, sighting } from '../testing.ts'
import { approve } from './approve.ts'
import { noCapability } from './capability.ts'
import { redirectScenarios } from './redirects.ts'
import { refusalScenarios } from './refusals.ts'
import { twoCallsAtOnce } from './two-calls-at-once.ts'
import { twoSessions } from './two-sessions.ts'
import { wholeRun } from './whole-run.ts'

const own = (name: string): string => `mcp-delegated-authorization/server/${name}`
const ofPages = { url: 'https://items.example/connect' }
const begun = () => recording().begin()
const asked = () => begun().ask()

/** Another client has declared it, and is asked, and so is one of the same user, who declines. */
const other = () => begun().ask().begin().ask().answer({ result: {} }).failed().begin()
const control = begun().ask()
const unasked = { redirect_uri_options: undefined }

const elsewhere = (query = { code: 'c', state: 's' }, changes = {}) =>
  begun().ask(changes).mark('forged').returned(query, 'https://elsewhere.example/callback')

const callbackElsewhere: Readonly<Record<string, Cases<Declared>>> = {
  [own('refuse-unregistered')]: {
    pass: {
      'nothing was redeemed': elsewhere().failed(),
      'no options are offered': elsewhere(undefined, unasked).grant(),
    },
    violation: { 'it was redeemed': elsewhere().grant() },
    inconclusive: {
      'nothing was asked': begun().failed(),
      'nothing came back': asked(),
    },
  },
  [own('check-callback-base')]: {
    pass: { 'nothing was redeemed': elsewhere(undefined, unasked).failed() },
    violation: { 'it was redeemed': elsewhere(undefined, unasked).grant() },
    inconclusive: {
      'another rule judges it': elsewhere().grant(),
      'nothing came back': begun().ask(unasked),
    },
  },
  'oauth-client/never-permanently-pending': {
    pass: {
      'it ends': elsewhere().failed(),
      'it asks anew': elsewhere().ask(),
      'it asks anew, and nobody answers': [
        elsewhere().ask().after(10_000).failed(),
        { pendingTimeoutMs: 10_000 },
      ],
    },
    violation: {
      'it never ends': elsewhere().gaveUp(),
      'only its timeout ends it': [
        elsewhere().after(10_000).failed(),
        { pendingTimeoutMs: 10_000 },
      ],
    },
    inconclusive: { 'nothing came back': asked() },
  },
}

const fixedPorts = { redirect_uri_options: ['http://127.0.0.1:8976/callback'] }
const callbackAtAnotherPort: typeof callbackElsewhere = {
  ...callbackElsewhere,
  [own('refuse-unregistered')]: {
    pass: {
      'nothing was redeemed': elsewhere(undefined, fixedPorts).failed(),
      'an option leaves the port open': elsewhere().grant(),
    },
    violation: { 'it was redeemed': elsewhere(undefined, fixedPorts).grant() },
    inconclusive: callbackElsewhere[own('refuse-unregistered')]!.inconclusive,
  },
  [own('check-callback-base')]: {
    ...callbackElsewhere[own('check-callback-base')]!,
    inconclusive: {
      'another rule judges it': elsewhere(undefined, fixedPorts).grant(),
      'nothing came back': begun().ask(unasked),
    },
  },
}

const bothNames = { redirect_uri_options: ['http://127.0.0.1:{port}/', 'http://localhost:{port}/'] }
const callbackAtAnotherName: typeof callbackElsewhere = {
  ...callbackElsewhere,
  [own('refuse-unregistered')]: {
    ...callbackElsewhere[own('refuse-unregistered')]!,
    pass: {
      'nothing was redeemed': elsewhere().failed(),
      'an option has that name': elsewhere(undefined, bothNames).grant(),
    },
  },
}

/** Of a user who was handed over, and served. */
const servedTwin = begun().ask().returned().grant().access().result()

const withBearer = () => recording().connect('connection-1', {}, 'access_token-9').begin().ask()

const two = () => begun().ask().begin().ask()
const secondDone = () => two().returned().grant().access().result().on('call-1')

const both = () => asked().returned({ error: 'access_denied', code: 'c', state: 's' })

const refused = (reply: object) => asked().answer({ ...reply })
const declined = () => refused({ result: {} })
const declinedTimes = (times: number) => {
  const t = declined()
  for (let time = 1; time < times; time += 1) t.ask().answer()
  return t
}
const erred = () => refused({ error: { code: -32601, message: 'no' } })

const unsupported = {
  [own('survive-unsupported')]: {
    pass: {
      'the call ends, and the next one asks': erred().failed().begin().ask(),
      'the next one fails': erred().failed().begin().failed(),
      'asked anew, and answered alike': erred()
        .ask()
        .answer({ error: { code: -32601, message: 'no' } })
        .failed()
        .begin()
        .ask(),
    },
    violation: {
      'the call never ends': erred().gaveUp().begin().ask(),
      'the next one is not answered': erred().failed().begin().gaveUp(),
      'something is redeemed': erred().grant().failed().begin().ask(),
    },
    inconclusive: {
      'it was not answered so': asked().failed().begin().ask(),
      'the answer did not arrive': asked()
        .answer({ error: { code: 1 } }, 500)
        .failed()
        .begin()
        .ask(),
      'there was no other call': erred().failed(),
      'the run did not wait for the end': erred().begin().ask(),
    },
  },
}

const filled = 'http://127.0.0.1:8977/callback'
const option = (uri: string) => asked().mark('option', { option: 'o', filled: uri })

describeExamples(
  [
    withoutShared(approve),
    noCapability,
    ...refusalScenarios.filter(({ id }) => id !== 'denied'),
    ...redirectScenarios,
    twoSessions,
    twoCallsAtOnce,
    withoutShared(wholeRun),
  ],
  {
    approve: {
      [own('url-complete')]: {
        pass: {
          'the provider is asked': asked().requested().visit(),
          'the provider refuses it, which is for another check': asked()
            .requested({ valid: false })
            .visit(),
          'it refers to a pushed request': begun()
            .ask({ url: 'https://127.0.0.1:4200/authorize?client_id=c&request_uri=urn:x' })
            .requested()
            .visit(),
        },
        violation: {
          'a page of its own': begun().ask(ofPages).visit().requested(),
          'no client': begun().ask({ url: authorizationUrl({ client_id: undefined }) }),
          'it leads elsewhere': asked().visit(),
        },
        inconclusive: {
          'nothing was asked': begun().failed(),
          'no URL': begun().ask({ url: 'items' }),
          'nobody went there': asked(),
        },
      },
    },
    'no-capability': {
      [own('gate-capability')]: {
        pass: {
          'it is not asked': [other().failed().window(), {}, control],
          'it is not asked, and waits for something else': [other().window(), {}, control],
        },
        violation: { 'it is asked': [other().ask(), {}, control] },
        inconclusive: {
          'it does not call': [begun().window(), {}, control],
          'nobody watched': [other().failed(), {}, control],
          'nobody is ever asked': [other().failed().window(), {}, begun()],
        },
      },
      [own('degrade')]: {
        pass: { 'it ends': other().failed(), 'in words of any kind': other().result('No.') },
        violation: { 'it never ends': other().gaveUp() },
        inconclusive: {
          'the tool was not called': begun(),
          'it asks all the same': other().ask().gaveUp(),
          'the run did not wait for the end': other(),
          'not long enough': other().gaveUp(100),
        },
      },
    },
    declined: {
      [own('declined-no-exchange')]: {
        pass: {
          'an error in the result': declined().failed(),
          'asked anew, and declined anew': declined().ask().answer().failed(),
          'asked five times': declinedTimes(5).failed(),
          'in other words': [declined().result('Another time.'), {}, servedTwin],
          'in the words of a call that was not served either': [
            declined().result('[]'),
            {},
            asked().result('[]'),
          ],
        },
        violation: {
          'it never ends': declined().gaveUp(),
          'it is asked for without end': declinedTimes(5).ask(),
          'a code was redeemed': declined().grant().failed(),
          'the call was served': declined().access().result(),
          'it reads as if it had been served': [declined().result('[]'), {}, servedTwin],
          'only its timeout ends it': [
            declined().after(10_000).failed(),
            { pendingTimeoutMs: 10_000 },
          ],
        },
        inconclusive: {
          'nothing was declined': asked().failed(),
          'the run did not wait for the end': declined(),
          'asked anew, and not answered': declined().ask(),
          'its timeout may have ended it': [
            asked().after(9000).answer().after(500).failed(),
            { pendingTimeoutMs: 10_000 },
          ],
        },
      },
    },
    'unsupported-method-not-found': unsupported,
    'unsupported-invalid-params': unsupported,
    'unsupported-internal-error': unsupported,
    'unsupported-own-error': unsupported,
    'callback-on-another-origin': callbackElsewhere,
    'callback-on-another-host': callbackElsewhere,
    'callback-on-another-path': callbackElsewhere,
    'callback-on-another-case-of-the-path': callbackElsewhere,
    'callback-on-another-scheme': callbackElsewhere,
    'callback-on-another-port': callbackAtAnotherPort,
    'callback-on-another-name': callbackAtAnotherName,
    'second-option': {
      [own('redeem-selected')]: {
        pass: {
          'it was redeemed': asked().mark('selected', { redirectUri: filled }).returned().grant(),
          'the only one was': asked().mark('selected').returned().grant(),
        },
        violation: {
          'it was refused': asked()
            .mark('selected', { redirectUri: filled })
            .returned()
            .grant({ outcome: 'refused', error: 'invalid_grant' })
            .failed(),
          'no token request': asked().mark('selected', { redirectUri: filled }).returned().failed(),
        },
        inconclusive: {
          'nothing came back': asked().mark('selected', { redirectUri: filled }),
          'the run did not wait for it': asked()
            .mark('selected', { redirectUri: filled })
            .returned(),
          'the only one was not redeemed': asked().mark('selected').returned().failed(),
        },
      },
    },
    'error-beside-code': {
      'oauth-client/report-denial': {
        pass: { 'it ends': both().failed() },
        violation: {
          'the code was redeemed': both().grant().result(),
          'it never ends': both().gaveUp(),
        },
        inconclusive: { 'nothing came back': asked() },
      },
    },
    'options-visited': {
      [own('options-registered')]: {
        pass: {
          'the provider takes it': option(filled).requested({ redirectUri: filled }),
          'none are offered': begun().ask(unasked),
          'the URL refers to a pushed request': begun().ask({
            url: 'https://127.0.0.1:4200/authorize?client_id=c&request_uri=urn:x',
          }),
          'only its server can fill them': begun().ask({ redirect_uri_options: ['https://x/{s}'] }),
        },
        violation: {
          'the provider refuses it': option(filled).requested({
            redirectUri: filled,
            valid: false,
          }),
        },
        inconclusive: {
          'nothing was asked': begun(),
          'the provider was not asked': option(filled),
        },
      },
    },
    'two-calls-at-once': {
      'oauth-client/complete-call': {
        pass: {
          'each by its own callback': secondDone().returned().grant().access().resultOf('call-1'),
          'the first one with the token of the second': secondDone()
            .returned()
            .on('call-2')
            .access()
            .on('call-1')
            .resultOf('call-1'),
          'one is asked when the time of the other is up': [
            begun().begin().ask().after(4000).failed().on('call-1').ask(),
            { pendingTimeoutMs: 4000 },
          ],
        },
        violation: {
          'the first one fails': secondDone().returned().resultOf('call-1', true),
          'the first one never ends': secondDone().returned().gaveUp(),
        },
        inconclusive: {
          'nothing came back': two(),
          'the run did not wait for it': secondDone().returned().grant(),
          'nobody knows what it is made of': two()
            .returned()
            .result()
            .on('call-1')
            .returned()
            .resultOf('call-1'),
        },
      },
    },
    'two-sessions': {
      'oauth-client/never-permanently-pending': {
        pass: { 'it ends': asked().begin().ask().mark('forged').returned().failed() },
        violation: { 'it never ends': asked().begin().ask().mark('forged').returned().gaveUp() },
        inconclusive: { 'it was not brought': asked().begin().ask().mark('forged') },
      },
      [own('bind-session')]: {
        pass: { 'nothing was redeemed': asked().begin().ask().mark('forged').returned().window() },
        violation: {
          'for the call that asked': asked()
            .begin()
            .ask()
            .mark('forged')
            .returned()
            .on('call-1')
            .grant(),
          'for the call that brought it': asked().begin().ask().mark('forged').returned().grant(),
        },
        inconclusive: {
          'it was not brought': asked().begin().ask().mark('forged').window(),
          'nobody watched': asked().begin().ask().mark('forged').returned(),
        },
      },
    },
    'whole-run': {
      [own('no-passthrough')]: {
        pass: { 'a token of its own': merged(withBearer().access()) },
        violation: {
          'the token of the client': merged(withBearer().access('access_token-9')),
          'in a way that is not understood': merged(
            withBearer().upstream(sighting('access_token', 'access_token-9')),
          ),
        },
        inconclusive: {
          'no client had a token': merged(asked().access()),
          'the API was not called': merged(withBearer()),
        },
        'not-applicable': {
          'no token is demanded': [merged(withBearer().access()), { authorization: false }],
        },
      },
      [own('request-valid')]: {
        pass: { 'all it needs': merged(asked()), 'no options': merged(begun().ask(unasked)) },
        violation: {
          'no message': merged(begun().ask({ message: ' ' })),
          'a relative URL': merged(begun().ask({ url: '/authorize' })),
          'no web page': merged(begun().ask({ url: 'file:///etc/hosts' })),
          'options as a text': merged(begun().ask({ redirect_uri_options: 'x' })),
          'options that are no texts': merged(begun().ask({ redirect_uri_options: [1] })),
        },
        inconclusive: { 'nothing was asked': merged(begun()) },
      },
      [own('tokens-off-wire')]: {
        pass: { 'none was sent': merged(asked().grant().result()) },
        violation: {
          'in a result': merged(asked().grant().result('x', {}, sighting('access_token'))),
        },
        inconclusive: { 'none was issued': merged(asked().result()) },
      },
      [own('secrets-off-wire')]: {
        pass: { 'none was sent': merged(asked().grant().result()) },
        violation: {
          'a verifier': merged(asked().grant().result('x', {}, sighting('code_verifier'))),
          'the secret of the client': merged(
            asked().grant().result('x', {}, sighting('client_secret')),
          ),
        },
        inconclusive: { 'no token was issued': merged(asked().result()) },
      },
    },
  },
  examples,
)

/** A pushed request, whose parameters arrived at the provider. */
const pushed = (name: string, ...requests: readonly Record<string, unknown>[]) => {
  const t = begun().ask({ url: `https://127.0.0.1:4200/authorize?client_id=c&request_uri=${name}` })
  for (const request of requests) t.authorizationRequest(request)
  return t
}

const freshStates = wholeRun.checks.filter(
  ({ requirement }) => requirement === 'oauth-client/state-unpredictable',
)

describeExamples(
  [{ ...wholeRun, checks: freshStates }],
  {
    'whole-run': {
      'oauth-client/state-unpredictable': {
        pass: {
          'another one': merged(asked(), begun().ask({ url: authorizationUrl({ state: 't' }) })),
          'the same request again': merged(
            asked(),
            asked(),
            begun().ask({ url: authorizationUrl({ state: 't' }) }),
          ),
          'another one was pushed': merged(
            pushed('a', { state: 's', codeChallenge: 'one' }),
            pushed('b', { state: 't', codeChallenge: 'two' }),
          ),
        },
        violation: {
          'the same request again, after it was redeemed': merged(
            asked()
              .requested({ state: 's', codeChallenge: 'x' })
              .returned()
              .grant()
              .result()
              .begin()
              .ask()
              .requested({ state: 's', codeChallenge: 'x' }),
            begun().ask({ url: authorizationUrl({ state: 't' }) }),
          ),
          'the same one was pushed with another challenge': merged(
            pushed('a', { state: 's', codeChallenge: 'one' }),
            pushed('b', { state: 's', codeChallenge: 'two' }),
          ),
          'the same with another challenge': merged(
            asked(),
            begun().ask({ url: authorizationUrl({ code_challenge: 'other' }) }),
          ),
        },
        inconclusive: {
          'one request': merged(asked()),
          'they were pushed, and nobody opened them': merged(pushed('a'), pushed('b')),
          'one was pushed, and opened twice': merged(
            pushed('a', { state: 's', codeChallenge: 'one' }, { state: 's', codeChallenge: 'one' }),
          ),
        },
      },
    },
  },
  examples,
)
