import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../../harness/engine/index.ts'
import { answer, request } from '../../testing.ts'
import { align, counterpart, differences } from './difference.ts'
import type { Row } from './sequence.ts'

function rows(labels: string): Row[] {
  return labels
    .split('')
    .map((label) => ({ event: request, label, from: 'a', to: 'b', answer: false }))
}

function shown(control: string, own: string): string {
  return align(rows(control), rows(own))
    .map((each) => {
      if (each.control && each.own) return each.own.label
      return each.own ? `+${each.own.label}` : `-${each.control?.label}`
    })
    .join(' ')
}

test.each([
  ['abc', 'abc', 'a b c'],
  ['abcd', 'abd', 'a b -c d'],
  ['abd', 'abcd', 'a b +c d'],
  ['abc', 'axc', 'a -b +x c'],
  ['', 'ab', '+a +b'],
  ['ab', '', '-a -b'],
])('aligns %j with %j', (control, own, expected) => {
  expect(shown(control, own)).toBe(expected)
})

test('an alignment holds both sequences, each in its order', () => {
  const sequence = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 })
  fc.assert(
    fc.property(sequence, sequence, (control, own) => {
      const aligned = align(rows(control), rows(own))
      expect(aligned.map((each) => each.control?.label ?? '').join('')).toBe(control)
      expect(aligned.map((each) => each.own?.label ?? '').join('')).toBe(own)
      for (const each of aligned) {
        if (each.control && each.own) expect(each.control.label).toBe(each.own.label)
      }
    }),
  )
})

test('the counterpart is the one at the same place among its kind', () => {
  const numbered = (seq: number): RecordedEvent => ({ ...request, seq })
  const own = [numbered(1), { ...answer, seq: 2 }, numbered(3)]
  const control = [numbered(11), numbered(13), { ...answer, seq: 14 }]
  expect(counterpart(numbered(3), own, control)).toBe(control[1])
  expect(counterpart({ ...answer, seq: 2 }, own, control)).toBe(control[2])
  expect(counterpart(numbered(3), own, [numbered(11)])).toBeUndefined()
})

test('names the members of a message that differ', () => {
  const body = (value: unknown) => {
    const text = JSON.stringify(value)
    return { text, bytes: text.length }
  }
  const control = { ...request, body: body({ type: 'oauth', call_id: 'a', deep: { x: 1 } }) }
  const own = { ...request, method: 'PUT', body: body({ type: 'oauth', deep: { x: 2 }, more: [] }) }
  expect(differences(control, own)).toEqual([
    { path: 'method', control: 'POST', own: 'PUT' },
    { path: 'body.call_id', control: '"a"', own: undefined },
    { path: 'body.deep.x', control: '1', own: '2' },
    { path: 'body.more', control: undefined, own: '[]' },
  ])
})

test('endless nesting is compared as a whole', () => {
  const text = '['.repeat(100_000) + ']'.repeat(100_000)
  const deep = { ...request, body: { text, bytes: text.length } }
  expect(differences(deep, request).map(({ path }) => path)).toContain('body.operation')
})
