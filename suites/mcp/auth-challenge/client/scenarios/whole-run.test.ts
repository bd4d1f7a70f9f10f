import { expect, test } from 'vitest'
import { Transcript } from '../../../../../harness/engine/index.ts'
import { describeExamples, withoutShared } from '../../../../testing.ts'
import { options, recording, sighting } from '../testing.ts'
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
    },
  },
  options,
)

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
  expect(judged(id, sent('access_token', 'url'))).toBe('violation')
  expect(judged(id, sent('access_token', 'body.text'))).toBe('violation')
  expect(judged(id, sent('authorization_code', 'headers.authorization'))).toBe('violation')
  const secret = 'oauth-client/no-client-secret-in-output'
  expect(judged(secret, sent('code_verifier', 'body.text'))).toBe('violation')
})
