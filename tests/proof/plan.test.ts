import { expect, test } from 'vitest'
import { driveOnly, focusOn } from './plan.ts'
import { roles } from './roles.ts'

const role = roles.find(({ profile }) => profile.id === 'rap-oauth/tool')!

test('the gate, what matters with its controls, and one other', () => {
  const driven = focusOn(role, ['refresh-refused'], 'a seed')
  expect(driven.slice(0, 1)).toEqual(['authorize-and-complete'])
  expect(driven).toEqual(expect.arrayContaining(['refresh-refused', 'stored-token']))
  expect(driven).not.toContain('whole-run')
  expect(driven.length).toBeGreaterThan(2)
  expect(driven.length).toBeLessThan(7)
})

test('the seed chooses the other', () => {
  const chosen = Array.from({ length: 20 }, (_, seed) => focusOn(role, [], `${seed}`).join())
  expect(focusOn(role, [], '7').join()).toBe(chosen[7])
  expect(new Set(chosen).size).toBeGreaterThan(5)
})

test('where nothing else is driven, what is judged of the whole run brings along what that rests on', () => {
  const driven = focusOn(role, ['whole-run'], 'a seed')
  expect(driven).toEqual(expect.arrayContaining([...role.settings.restsOn]))
  expect(driven.at(-1)).toBe('whole-run')
})

test('what alone is asked for is driven with the gate and its controls', () => {
  expect(driveOnly(role.profile, ['refresh-refused'])).toEqual(
    expect.arrayContaining(['authorize-and-complete', 'refresh-refused', 'stored-token']),
  )
  expect(driveOnly(role.profile, ['refresh-refused']).length).toBeLessThan(6)
})

test('a profile without the scenario has nothing driven', () => {
  expect(driveOnly(role.profile, ['of-another-profile'])).toEqual([])
})

test('what judges the whole run cannot be driven alone', () => {
  expect(() => driveOnly(role.profile, ['whole-run'])).toThrow('--full')
})
