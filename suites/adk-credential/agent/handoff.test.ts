import { expect, test } from 'vitest'
import { cite } from '../../../harness/engine/index.ts'
import { judgesOf } from '../../oauth-client/judges.ts'
import { handoff } from './handoff.ts'
import { options, recording } from './testing.ts'

test('a call whose turn failed is told by its status', () => {
  const { ends } = judgesOf(handoff)
  const { transcript } = recording().begin().answered(500).window()
  const judge = ends('call-1', ({ request }) => cite(request), 'the denial')
  expect(judge(transcript, options.context({}, undefined))).toMatchObject({
    outcome: 'violation',
    actual: 'none within 1000 ms; the last request of the call was answered by HTTP 500',
  })
})
