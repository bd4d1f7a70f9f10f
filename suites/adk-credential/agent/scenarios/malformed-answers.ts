import {
  cite,
  inconclusive,
  isAfter,
  mark,
  pass,
  violation,
} from '../../../../harness/engine/index.ts'
import { check } from '../checks.ts'
import { adapterScheme } from '../view.ts'
import { control, scenario } from './define.ts'

/** What a client application that is broken or hostile may send for an AuthConfig. */
const malformed: readonly unknown[] = [
  {},
  { authScheme: 7, rawAuthCredential: [], exchangedAuthCredential: 'none' },
  { exchangedAuthCredential: { authType: 'oauth2', oauth2: { authResponseUri: 'no url at all' } } },
  { exchangedAuthCredential: { authType: 'oauth2', oauth2: { authResponseUri: 42 } } },
  { exchanged_auth_credential: { auth_type: 'o_auth2', oauth2: { access_token: 42 } } },
]

export const malformedAnswers = scenario({
  id: 'malformed-answers',
  title: 'invalid answers, each to its own request, because an answer may end its request',
  control,
  async drive({ begin, newUser, mark }) {
    const calls = malformed.map((_, index) => begin(newUser(`malformed-${index + 1}`)))
    for (const call of calls) await call.asked()
    mark('forged')
    for (const [index, call] of calls.entries()) {
      await call.answer(call.requests[0]!, {}, { config: () => malformed[index] })
    }
  },
  checks: [
    check('adk-credential/agent/malformed-answer-survived', 'answers without a failure', (t) => {
      const from = mark(t, 'forged')
      const sent = t.requests('api').filter((each) => isAfter(each, from))
      const answers = sent.flatMap((each) => t.answer(each) ?? [])
      if (answers.length < malformed.length)
        return inconclusive(`only ${answers.length} of ${malformed.length} were answered`)
      // A library refuses by raising: what its adapter reports has no status of HTTP.
      const hasStatus = sent.every(({ url }) => !url.startsWith(adapterScheme))
      for (const answer of answers) {
        if (answer.type === 'failure') {
          if (answer.code === 'timeout') return inconclusive('one of them was not answered in time')
          const difference = { expected: 'an answer', actual: answer.message }
          return violation(
            'an invalid answer ended the connection: answer it with 4xx, or ignore it',
            difference,
            [...cite(answer)],
          )
        }
        // An error in a stream that has begun does not say whose it is either.
        if (!hasStatus || answer.status < 500) continue
        return violation(
          'an invalid answer caused a server error: answer it with 4xx, or ignore it',
          {
            expected: 'an error of the client (4xx), or no error',
            actual: `HTTP ${answer.status}`,
          },
          cite(answer),
        )
      }
      return pass(`${answers.length} answers`, cite(...answers))
    }),
  ],
})
