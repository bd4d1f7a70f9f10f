import { describeExamples, describeJudge, withoutShared } from '../../../../testing.ts'
import { merged, options, recording, sighting } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

const stateOf = (state: string, codeChallenge: string, scenario: string, at: number) =>
  recording(scenario, at).begin().authorizationRequest({ state, codeChallenge })

// What is shared has its examples with RAP's tool, but for what is asked of this profile alone.
describeJudge(
  'oauth-client/state-unpredictable',
  wholeRun.checks.find(({ requirement }) => requirement === 'oauth-client/state-unpredictable')!
    .judge,
  {
    pass: {
      'another each time': merged(stateOf('s1', 'c1', 'one', 0), stateOf('s2', 'c2', 'two', 5000)),
      'a link that is opened again': merged(
        stateOf('s1', 'c1', 'one', 0).authorizationRequest({ state: 's1', codeChallenge: 'c1' }),
        stateOf('s2', 'c2', 'three', 9000),
      ),
    },
    violation: {
      'the same in two scenarios': merged(
        stateOf('s', 'c1', 'one', 0),
        stateOf('s', 'c2', 'two', 5000),
      ),
    },
    inconclusive: { 'one request': stateOf('s', 'c1', 'one', 0), nothing: recording() },
  },
  options,
)

const served = () => recording('one').served()
const other = { user: 'user-2', connection: 'connection-2' }
const mixed = () =>
  merged(served(), recording('two', 5000).begin(other).result('Welcome, subject-of-user-1'))

describeJudge(
  'oauth-client/token-bound-to-user',
  wholeRun.checks.find(({ requirement }) => requirement === 'oauth-client/token-bound-to-user')!
    .judge,
  {
    pass: {
      'both are asked': merged(served(), recording('two', 5000).begin(other).elicit()),
      'a login beside a call that ends in words': merged(
        served(),
        recording('two', 5000).begin(other).elicit(),
        recording('three', 9000).begin({ user: 'user-3' }).after(500).result('No URL mode?'),
        recording('four', 9100).on('login-1').access({ endpoint: 'userinfo' }),
      ),
    },
    violation: { 'what is of another': mixed() },
    inconclusive: {
      'one user': served(),
      'who may be the only one': [mixed(), { authorization: false }],
    },
  },
  options,
)

const began = () => recording().begin()
const at = (url: string) => began().elicit({ url })
const known = (url: string) => began().decision('subject-of-user-1').elicit({ url })
const result = (...secrets: ReturnType<typeof sighting>[]) =>
  recording()
    .served()
    .stream({ id: 99, result: {} }, {}, ...secrets)
const withBearer = () => recording().connect('connection-1', {}, 'access_token-9').served()
/** The browser opens what was asked, with these cookies. */
const browsed = (cookie: string, ended = 'interaction') => {
  const url = 'http://127.0.0.1:4100/connect?e=call-1'
  return began().elicit({ url }).opens(url, cookie).step('visited', { ended })
}
const sealed = (text: string) => Buffer.from(text).toString('base64url')

/** Such a client, which is refused before it can call anything. */
const unconnected = () =>
  recording()
    .step('connect', { connection: 'connection-1', capabilities: { elicitation: { form: {} } } })
    .beginUnconnected()
    .refusedConnection()

/** A client that can show forms and nothing else. */
const shown = () =>
  recording()
    .step('connect', { connection: 'connection-1', capabilities: { elicitation: { form: {} } } })
    .begin()
const form = (properties: Record<string, unknown>, message = 'Who are you?') =>
  shown().elicit({ mode: 'form', message, requestedSchema: { type: 'object', properties } })
const field = (name: string, more: Record<string, unknown> = {}) =>
  form({ [name]: { type: 'string', ...more } })

describeExamples(
  [withoutShared(wholeRun)],
  {
    'whole-run': {
      'mcp-url-elicitation/server/complete-id': {
        pass: {
          'what was asked for is complete': recording().agreed().authorized().complete(),
          'nothing is said': recording().agreed().authorized(),
        },
        violation: {
          'an id of nothing': recording().agreed().authorized().complete().complete('items'),
          'no id': recording().agreed().authorized().complete(null),
          'an id of another scenario': merged(
            recording('one').agreed().authorized(),
            recording('two', 5000).complete('elicitation of call-1'),
          ),
        },
        inconclusive: { 'no interaction was completed': recording().agreed().complete() },
        'not-applicable': { 'on 2026-07-28': [recording(), { revision: '2026-07-28' }] },
      },
      'mcp-url-elicitation/server/same-user': {
        pass: {
          'a random value': browsed('sid=9fq0TtZpXz0Yw2v4'),
          'a secret': browsed('sid=[secret id_token-1]'),
          'beside a name to greet': browsed('name=subject-of-user-1; sid=9fq0TtZpXz0Yw2v4'),
          'who the user is, signed': browsed('sid=subject-of-user-1.9fq0TtZpXz0Yw2v4'),
          'the same in JSON': browsed(
            `sid=${sealed('{"sub":"subject-of-user-1","tag":"9fq0TtZpXz0Yw2v4"}')}`,
          ),
        },
        violation: {
          'who the user is': browsed('sid=subject-of-user-1'),
          'the same with a preference': browsed('sid=subject-of-user-1; theme=dark'),
          'beside the cookie of the provider': browsed(
            'aoc_session_1=[secret session-1]; sid=subject-of-user-1',
          ),
          'in quotes': browsed('sid="subject-of-user-1"'),
          'an address': browsed('sid=subject-of-user-1%40users.example'),
          'in base64': browsed(`sid=${sealed('subject-of-user-1')}`),
          'in JSON': browsed(`sid=${sealed('{"id":7,"sub":"subject-of-user-1"}')}`),
          'a number': browsed('sid=17'),
        },
        inconclusive: {
          'nothing is brought': browsed(''),
          'only the cookie of the provider is': browsed('aoc_session_1=[secret session-1]'),
          'it was not let in': browsed('sid=subject-of-user-1', 'page'),
          'nobody visits': began().elicit(),
        },
        'not-applicable': { 'nobody logs in': [browsed('sid=17'), { login: false }] },
      },
      'mcp-url-elicitation/server/request-valid': {
        pass: {
          'by a request': began().elicit(),
          'by an error': began().required(),
          'in a result, where no id is needed': began().input(),
          'one elicitation for two calls of a user': recording().begin().elicit().begin().elicit({
            elicitationId: 'elicitation of call-1',
            url: 'http://127.0.0.1:4100/connect?e=call-1',
          }),
          'its call asks again, with a fresh state': began()
            .elicit()
            .elicit({ url: 'http://127.0.0.1:4100/connect?e=call-1&state=fresh' }),
          'servers that count apart': merged(
            recording('one').begin().elicit(),
            recording('two', 5000).to('http://127.0.0.1:4200').begin({ user: 'user-2' }).elicit(),
          ),
          'over stdio, processes that count apart': merged(
            recording('one').to('stdio:').begin().elicit(),
            recording('two', 5000).to('stdio:').begin({ user: 'user-2' }).elicit(),
          ),
        },
        violation: {
          'no mode': began().elicit({ mode: undefined, url: 'http://a.example' }),
          'a blank in its url': began().elicit({ url: 'http://a.example/connect?for=your items' }),
          'another mode': began().elicit({ mode: 'form', url: 'http://a.example' }),
          'no url': began().elicit({ url: undefined }),
          'no valid url': began().elicit({ url: '/connect' }),
          'no message': began().elicit({ message: undefined }),
          'an empty message': began().elicit({ message: ' ' }),
          'no id': began().elicit({ elicitationId: undefined }),
          'an id that is no text': began().required([
            { mode: 'url', url: 'http://a.example', message: 'm', elicitationId: 7 },
          ]),
          'an id that was given for another page': began()
            .elicit()
            .elicit({ url: 'http://a.example' }),
          'an id that was complete before': recording()
            .agreed()
            .authorized()
            .complete()
            .result()
            .begin()
            .elicit({
              elicitationId: 'elicitation of call-1',
              url: 'http://127.0.0.1:4100/connect?e=call-1',
            }),
          'an id that was given to another user': merged(
            recording('one').begin().elicit(),
            recording('two', 5000).begin({ user: 'user-2' }).elicit(),
          ),
          'by errors, an id and a URL that were given to another user': merged(
            recording('one').begin().required(),
            recording('two', 5000).begin({ user: 'user-2' }).required(),
          ),
          'over stdio, an id that one process gave twice': recording()
            .to('stdio:')
            .begin()
            .elicit()
            .begin()
            .elicit({ elicitationId: 'elicitation of call-1' }),
          'in a result': began().input({
            inputRequests: { a: { method: 'elicitation/create', params: { mode: 'url' } } },
          }),
        },
        inconclusive: { 'nothing was asked': began().failed() },
      },
      'mcp-url-elicitation/server/error-valid': {
        pass: {
          'it lists what is required': began().required(),
          'there is no such error': began().elicit(),
        },
        violation: {
          'an empty list': began().elicit().required([]),
          'no list': began().elicit().fails({ code: -32042, message: 'x' }),
          'a form': began().required([{ mode: 'form', elicitationId: 'e' }]),
          'no id': began().required([{ mode: 'url', url: 'http://a.example', message: 'm' }]),
        },
        inconclusive: { 'nothing was asked': began().fails() },
        'not-applicable': { 'a later revision': [began().input(), { revision: '2026-07-28' }] },
      },
      'mcp-url-elicitation/server/https': {
        pass: {
          https: at('https://tool.example/connect'),
          'the loopback interface': at('http://127.0.0.1:4100/connect'),
          localhost: at('http://localhost:4100/connect'),
          'what is no URL is for request-valid': at('connect'),
        },
        violation: {
          http: at('http://tool.example/connect'),
          'a name that only begins so': at('http://localhost.example/connect'),
          'the second one': at('https://tool.example/').elicit({ url: 'http://tool.example/' }),
        },
        inconclusive: { 'nothing was asked': began().failed() },
      },
      'mcp-url-elicitation/server/clean-url': {
        pass: {
          'an id': known('https://tool.example/connect?e=4711'),
          'something sealed': known(
            `https://tool.example/?t=${sealed('{"sub":"subject-of-user-1"}')}`,
          ),
          'escapes that are none': known('https://tool.example/?e=%zz'),
        },
        violation: {
          'the account, encoded': known(`https://tool.example/?t=${sealed('subject-of-user-1')}`),
          'the account in hexadecimal': known(
            `https://tool.example/?t=${Buffer.from('subject-of-user-1').toString('hex')}`,
          ),
          'a credential': known('https://tool.example/?token=[secret access_token-1]'),
          'the account': known('https://tool.example/connect/subject-of-user-1'),
          'the account, in other letters': known('https://tool.example/?hint=SUBJECT-of-user-1'),
          'the account, escaped': known('https://tool.example/?hint=subject%2Dof-user-1'),
          'an address': known(
            `https://tool.example/?t=${sealed('subject-of-user-1@users.example')}`,
          ),
        },
        inconclusive: { 'nothing was asked': began().failed() },
      },
      'mcp-url-elicitation/server/no-secrets-by-form': {
        pass: {
          'refused when it connects': unconnected(),
          'no form': shown().failed(),
          'a name': field('user_name'),
          'a choice': field('tokenizer'),
          'a question about secrets': form({
            go_on: { type: 'boolean', title: 'Never tell anybody!' },
          }),
          'a yes or no about a password': form({ reset_password: { type: 'boolean' } }),
          'a choice among keys': field('api_key', { enum: ['first', 'second'] }),
          'the name of a key': field('api_key_name', { title: 'API key name' }),
          'the name of a token, by the message': form(
            { value: { type: 'string' } },
            'Please enter a name for the new access token, or enter the access token name.',
          ),
          'a token that grants nothing': field('page_token', { title: 'Page token' }),
          'a token to trade': field('token', { description: 'Symbol of the token' }),
          'the number of tokens': field('max_tokens'),
          'words about a token': field('note', { description: 'A note about the token' }),
          'a postal code': field('pin', { title: 'PIN code', description: 'Postal code' }),
          'a pin of hardware': field('gpioPin', { title: 'GPIO pin' }),
          'a token of a design': form({ value: { type: 'string' } }, 'Enter the design token.'),
          'a number of a pin': form({ pin: { type: 'integer' } }),
          'the next page, by the message': form(
            { value: { type: 'string' } },
            'Please enter the next page token.',
          ),
          'a limit, by the message': form(
            { value: { type: 'string' } },
            'Please enter your monthly token limit.',
          ),
          'a warning': form({ value: { type: 'string' } }, 'Never enter your password here.'),
        },
        violation: {
          'a description': field('value', { description: 'The password of your account' }),
          'the message': form(
            { value: { type: 'string' } },
            'To go on, please paste your personal access token for Items.',
          ),
          'a token, by the message': form({ value: { type: 'string' } }, 'Paste your GitHub token'),
          'a token': field('token'),
          'a token of somebody': field('githubToken'),
          'a PAT': field('value', { title: 'GitHub PAT' }),
          'a PIN': field('pin'),
          'a PIN of somebody': field('value', { title: 'Your card PIN' }),
          'your token, by the message': form(
            { value: { type: 'string' } },
            'Paste your token here',
          ),
          'a code for once': field('otp'),
          'a code for once, in words': field('value', { title: 'One-time code' }),
          'a token, described': field('value', { description: 'Your GitHub token (ghp_…)' }),
          'a password': field('password'),
          'an access token': field('accessToken'),
          'a key': field('api_key'),
          'a title': field('value', { title: 'Your API key' }),
          'the second form': form({}).elicit({
            mode: 'form',
            requestedSchema: { properties: { client_secret: {} } },
          }),
        },
        inconclusive: {
          'no call': recording(),
          'no answer': shown(),
          'another client': began().failed(),
        },
      },
      'mcp-url-elicitation/server/no-links-in-forms': {
        pass: {
          'no form': shown().failed(),
          'no link': field('user_name'),
          'an example': field('base', { description: 'Base URL, e.g. https://github.example.com' }),
          'an example of this run': field('base', {
            description: 'Base URL (for example: http://127.0.0.1:4100/api)',
          }),
          'a place that nobody is sent to': field('base', {
            description: 'Default: https://api.example.com',
          }),
          'a value that is filled in': field('homepage', {
            format: 'uri',
            default: 'https://tool.example/',
          }),
          'the dialect of the schema': shown().elicit({
            mode: 'form',
            requestedSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
          }),
        },
        violation: {
          'in the message': form({}, 'Open https://tool.example/connect'),
          'in a field': field('x', { description: 'visit the page at http://tool.example/' }),
          'a place of this run': field('x', { description: 'see http://127.0.0.1:4100/connect' }),
        },
        inconclusive: {
          'no call': recording(),
          'no answer': shown(),
          'another client': began().failed(),
        },
      },
      'mcp-url-elicitation/server/credentials-off-wire': {
        'not-applicable': { 'it has none': [result(), { oauthClient: false }] },
        pass: {
          'nothing is sent': result(),
          "the client's own token": recording()
            .connect('connection-1', {}, 'access_token-9')
            .served()
            .stream({ id: 9, result: {} }, {}, sighting('access_token', 'access_token-9')),
          'what the client sends': recording().served().event(
            {
              type: 'request',
              channel: 'mcp',
              exchange: 'connection-1/x',
              method: 'POST',
              url: 'http://127.0.0.1:4100/mcp',
              headers: {},
            },
            sighting('access_token'),
          ),
        },
        violation: Object.fromEntries(
          [
            'access_token',
            'refresh_token',
            'authorization_code',
            'id_token',
            'client_secret',
            'code_verifier',
          ].map((kind) => [kind, result(sighting(kind))]),
        ),
        inconclusive: {
          'no token was issued': began().result(),
          'a message cannot be read': result(sighting('unread')),
        },
      },
      'mcp-url-elicitation/server/no-passthrough': {
        pass: { 'a token of its own': withBearer() },
        violation: {
          'the token of the client': withBearer().access({
            token: 'access_token-9',
            outcome: 'refused',
          }),
          'in a way that is not understood': withBearer().upstream(
            '/resource/items',
            sighting('access_token', 'access_token-9'),
          ),
        },
        inconclusive: {
          'no client had a token': recording().served(),
          'the API was not called': recording()
            .connect('connection-1', {}, 'access_token-9')
            .agreed(),
        },
        'not-applicable': { 'no token is demanded': [withBearer(), { authorization: false }] },
      },
    },
  },
  options,
)
