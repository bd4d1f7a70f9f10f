import { describeExamples, withoutShared } from '../../../testing.ts'
import { options, recording, type Cases } from '../testing.ts'
import { requestScenarios } from './requests.ts'

const control = recording().asked().requested()
const url =
  'https://127.0.0.1:4200/authorize?audience=items%20api&client_id=client+%26&state=[secret x-1]'
const told = () =>
  recording().mark('told', { clientId: 'client &', redirectUri: 'http://a/?b=c%20d' })
const sent = (auth_url = url) => told().begin().paused({ auth_url })
const request = {
  clientId: 'client &',
  redirectUri: 'http://a/?b=c%20d',
  scopes: ['items:write', 'items:read'],
}

const plainHttp: Record<string, Cases> = {
  'penguiflow-oauth/manager/endpoints-https': {
    pass: {
      'it does not start': [recording().mark('refused', { message: 'x' }), {}, control],
      'the tool fails': [recording().begin().finished(), {}, control],
      'the run fails at once': [
        recording().on('call-1').step('begin').step('message').failed('ValueError', 'no https'),
        {},
        control,
      ],
      'another URL': [recording().asked(), {}, control],
    },
    violation: {
      'sent there': [recording().begin().paused({ auth_url: 'http://as.example/a' }), {}, control],
      'in capitals': [recording().begin().paused({ auth_url: 'HTTP://as.example/' }), {}, control],
    },
    inconclusive: {
      'nobody is sent away ever': [recording().begin().finished(), {}, recording().begin()],
      'not at rest': [recording().begin(), {}, control],
      'the model was not asked': [recording().step('begin').step('message'), {}, control],
      'it fails at the model': [
        recording().on('call-1').step('begin').step('message').called().failed(),
        {},
        control,
      ],
    },
  },
}

describeExamples(
  requestScenarios.map(withoutShared),
  {
    'reserved-characters': {
      'penguiflow-oauth/manager/request-encoded': {
        pass: {
          'as configured': [sent().requested(request), {}, control],
          'a bare question mark in a value': [
            sent(`${url}&nonce=a?b`).requested(request),
            {},
            control,
          ],
        },
        violation: {
          'a blank': [sent(url.replace('+%26', ' &')), {}, control],
          'a percent sign': [sent(url.replace('%26', '%')), {}, control],
          'two question marks': [sent(url.replace('&client', '?client')), {}, control],
          'the query is lost': [sent(url.replace('audience=items%20api&', '')), {}, control],
          'another client': [sent().requested({ ...request, clientId: 'client' }), {}, control],
          'another redirect URI': [
            sent().requested({ ...request, redirectUri: 'http://a/?b=c d' }),
            {},
            control,
          ],
          'one scope': [sent().requested({ ...request, scopes: ['items:read'] }), {}, control],
        },
        inconclusive: {
          'no pause': [told().begin().finished(), {}, control],
          'not visited': [sent(), {}, control],
          'none arrives ever': [sent().requested(request), {}, recording().asked()],
        },
      },
    },
    'plain-http-endpoint': plainHttp,
    'plain-http-endpoint-capitals': plainHttp,
    'plain-http-endpoint-port': plainHttp,
    'plain-http-endpoint-prefix': plainHttp,
    'plain-http-endpoint-userinfo': plainHttp,
    'unknown-provider': {
      'penguiflow-oauth/manager/unknown-provider': {
        pass: {
          'the model is told': [recording().begin().finished(), {}, control],
          'the run fails': [recording().begin().failed(), {}, control],
        },
        violation: { 'a pause': [recording().asked(), {}, control] },
        inconclusive: {
          'nobody is sent away ever': [recording().begin().finished(), {}, recording().begin()],
          'not at rest': [recording().begin(), {}, control],
          'the model was not asked': [recording().step('begin').step('message'), {}, control],
        },
      },
    },
  },
  options,
)
