import { expect, test } from 'vitest'
import { begin, decideJson, refusal, testProvider } from '../testing.ts'
import { faultValues } from './fault-value.ts'
import type { Fault } from './fault.ts'
import { faults, type FaultSpec } from './index.ts'

test('every fault whose description names a value takes one, and no other', () => {
  const all: readonly (readonly [string, Fault])[] = Object.entries(faults)
  const described = all.filter(([, { description }]) => description.includes('(value:'))
  expect(described.map(([id]) => id).toSorted()).toEqual(Object.keys(faultValues).toSorted())
  const seconds = described.filter(([, { description }]) => /value: [^)]*seconds/.test(description))
  const declared = Object.entries(faultValues).filter(([, kind]) => kind === 'seconds')
  expect(seconds.map(([id]) => id)).toEqual(declared.map(([id]) => id))
})

const wrong: readonly (readonly [string, FaultSpec])[] = [
  ['takes a number of seconds', { fault: 'refresh-grace-window', value: 'soon' }],
  ['takes a number of seconds', { fault: 'register-expiring-secret', value: '-1' }],
  ['takes no value', { fault: 'token-error-503', value: '503' }],
]

test.each(wrong)('what %s gets no other: %o', async (problem, spec) => {
  expect(() => testProvider().setFaults([spec])).toThrow(problem)
  expect(() => testProvider({ faults: [spec] })).toThrow(problem)
  const provider = testProvider({ control: true })
  const response = await provider.app.request('/_control/faults/issuer', {
    method: 'PUT',
    headers: { host: 'provider.test', 'content-type': 'application/json' },
    body: JSON.stringify([spec]),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(problem)
})

test('a decision with such a fault is refused, and may be made again', async () => {
  const provider = testProvider()
  const id = await begin(provider)
  const spec = { fault: 'refresh-grace-window', value: 'soon' } as const
  expect(await refusal(decideJson(provider, id, { faults: [spec] }))).toBe('400 invalid_request')
  expect((await decideJson(provider, id)).status).toBe(303)
})
