import { expect, test } from 'vitest'
import { Transcript } from '../../../../../harness/engine/index.ts'
import { describeExamples, withoutShared } from '../../../../testing.ts'
import { options, otherEndpoint, recording, sighting } from '../testing.ts'
import { wholeRun } from './whole-run.ts'

describeExamples(
  [withoutShared(wholeRun)],
  {
    'whole-run': {
      'mcp-auth-challenge/client/token-to-own-origin': {
        pass: { 'no fetch has one': recording().complete() },
        violation: {
          'metadata of the resource': recording()
            .complete()
            .metadata(undefined, sighting('access_token')),
          'metadata of the provider': recording().complete().discovered(sighting('access_token')),
        },
        inconclusive: {
          'no token': recording().asked().metadata(),
          'no fetch': recording().asked().attemptWithToken().accessed(),
        },
      },
      'mcp-auth-challenge/client/no-retry-without-token': {
        pass: {
          'with a token': recording().complete(),
          'the user is asked anew': recording().asked().attempt().challenged().opened(),
          'a token was thrown away': recording().asked().opened().attemptWithToken().attempt(),
        },
        violation: { 'nothing follows': recording().asked().opened().attempt().window() },
        inconclusive: {
          'no challenge': recording().client().begin().attempt().served(),
          'no flow': recording().asked().attempt(),
        },
      },
      'mcp-auth-challenge/client/token-not-in-url': {
        pass: { 'in headers': recording().complete() },
        violation: {
          'in the URL as well': recording()
            .complete()
            .attemptElsewhere(sighting('access_token'), sighting('access_token', 'url')),
        },
        inconclusive: { 'no token': recording().asked() },
      },
      'mcp-auth-challenge/client/resource-parameter': {
        pass: {
          'at every request': recording().complete(),
          'that of the other server': elsewhere().granted([otherEndpoint]),
          'no valid request': recording()
            .asked()
            .requested({ valid: false, resource: [] })
            .granted(),
        },
        violation: {
          'none at a later authorization request': recording()
            .complete()
            .requested({ resource: [] }),
          'none at a later token request': recording().complete().granted([]),
          'that of the first server for the second': elsewhere().granted(),
        },
        inconclusive: { 'nothing was asked': recording().asked() },
      },
    },
  },
  options,
)

function elsewhere() {
  return recording()
    .complete()
    .on('call-2')
    .step('begin', { user: 'user-1', tool: 'list_notes', arguments: {} })
    .requested({ resource: [otherEndpoint] })
}

const flow = (detail: Readonly<Record<string, unknown>>) => recording().requested(detail)
const run = (...flows: readonly ReturnType<typeof flow>[]) => {
  const events = flows.flatMap(({ transcript }) => transcript.events)
  return { transcript: new Transcript(events) } as ReturnType<typeof recording>
}
const method = { codeChallengeMethod: 'S256' }

test('a state belongs to one flow', () => {
  const outcome = (...details: readonly Readonly<Record<string, unknown>>[]) =>
    judged('oauth-client/state-unpredictable', run(...details.map(flow)))
  const [one, two] = [
    { ...method, state: 's4aW_x0QzLrE8uTb', codeChallenge: 'a' },
    { ...method, state: 'tK2c-v7HnPiY5mGd', codeChallenge: 'b' },
  ]
  expect(outcome(one, two)).toBe('pass')
  expect(outcome(one, one, two)).toBe('pass')
  expect(outcome(one, { ...two, state: one?.state })).toBe('violation')
  expect(outcome({ ...one, state: 'a7Kx' }, { ...two, state: 'Zq0p' })).toBe('violation')
  expect(outcome(one)).toBe('inconclusive')
  const [bare, other] = [one, two].map((each) => ({ ...each, state: undefined }))
  expect(outcome(bare!, other!)).toBe('pass')
  expect(outcome(bare!)).toBe('inconclusive')
  expect(outcome({}, {})).toBe('inconclusive')
})

const judged = (requirement: string, { transcript }: ReturnType<typeof recording>) =>
  wholeRun.checks
    .find((check) => check.requirement === requirement)
    ?.judge(transcript, options.context({}, undefined)).outcome

test('what is sent to a server has a token in one header, and nowhere else', () => {
  const sent = (kind: string, at: string) => {
    const { transcript } = recording().complete().attempt()
    const events = transcript.events.map((event, index, all) =>
      index === all.length - 1 ? { ...event, secrets: [sighting(kind, at)] } : event,
    )
    return { transcript: new Transcript(events) } as ReturnType<typeof recording>
  }
  const id = 'oauth-client/no-secrets-in-output'
  expect(judged(id, sent('access_token', 'headers.authorization'))).toBe('pass')
  expect(judged(id, sent('access_token', 'url'))).toBe('pass')
  expect(judged(id, sent('access_token', 'body.text'))).toBe('violation')
  expect(judged(id, sent('authorization_code', 'headers.authorization'))).toBe('violation')
  const secret = 'oauth-client/no-client-secret-in-output'
  expect(judged(secret, sent('code_verifier', 'body.text'))).toBe('violation')
})
