import { expect, test } from 'vitest'
import { timingSchema } from '../../harness/engine/index.ts'
import { certificationSubject } from './certification-subject.ts'
import type { Subject } from './configure.ts'

function timed(timing: object) {
  const configuration = { timing: timingSchema.parse(timing) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a subject decides nothing
  const made = certificationSubject({ configuration } as unknown as Subject)
  return { ...made.subject.configuration.timing, overruled: made.overruled }
}

test('what counts as kept is not what a vendor configures, and is told', () => {
  expect(timed({ ack: '10m', grace: '25s', observe: '10ms' })).toMatchObject({
    ack: 2000,
    grace: 5000,
    observe: 3000,
    overruled: [
      'timing.ack is 2000 ms in a certification, not 600000 ms',
      'timing.observe is 3000 ms in a certification, not 10 ms',
      'timing.grace is 5000 ms in a certification, not 25000 ms',
    ],
  })
})

test('waiting may be longer, and not shorter', () => {
  const longer = timed({ step: '20s', maxWait: '5m' })
  expect(longer).toMatchObject({ step: 20_000, maxWait: 300_000, overruled: [] })
  expect(timed({ step: 1, maxWait: 1 })).toMatchObject({
    step: 5000,
    maxWait: 30_000,
    overruled: [expect.stringContaining('timing.step'), expect.stringContaining('timing.maxWait')],
  })
})
