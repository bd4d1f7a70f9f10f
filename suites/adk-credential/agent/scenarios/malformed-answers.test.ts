import { describeExamples } from '../../../testing.ts'
import { options, recording, said } from '../testing.ts'
import { malformedAnswers } from './malformed-answers.ts'

const answersTo = (forged: ReturnType<typeof recording>, statuses: readonly number[]) =>
  statuses.reduce(
    (made, status) => made.send([{ functionResponse: { id: 'request-1' } }]).answered(status),
    forged,
  )
const answers = (...statuses: readonly number[]) =>
  answersTo(recording().asked().mark('forged'), statuses)

describeExamples(
  [malformedAnswers],
  {
    'malformed-answers': {
      'adk-credential/agent/malformed-answer-survived': {
        pass: {
          'no events': answers(200, 200, 200, 200, 200),
          'errors of the client': answers(400, 422, 404, 409, 400),
          'an error in the stream, which has no status': answers(200, 200, 200, 200)
            .send([])
            .answered(200, 'data: {"error": "no"}\n\n'),
          'a library that raises, behind an adapter': answersTo(
            recording().asked().mark('forged').throughAdapter(),
            [500, 500, 500, 500, 500],
          ),
          'an event with an error message': answers(200, 200, 200, 200)
            .send([])
            .answered(200, JSON.stringify([{ ...said.text(), error: 'x' }])),
        },
        violation: {
          'HTTP 500': answers(200, 500, 200, 200, 200),
          'no answer': answers(200, 200, 200, 200).send([]).failed(),
        },
        inconclusive: {
          'not all were answered': answers(200, 500),
          'one was late': answers(200, 200, 200, 200).send([]).failed('timeout'),
        },
      },
    },
  },
  options,
)
