import { expect, test } from 'vitest'
import { z } from 'zod'
import { faultSpecSchema, clientSchema } from '../provider/input-schemas.ts'
import { exactly, problemsOf } from './problems.ts'

function problems(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = schema.safeParse(value)
  return error ? problemsOf(error) : []
}

test('says where something is wrong and what was expected', () => {
  const advance = exactly({ seconds: z.number() })
  expect(problems(advance, { seconds: 'x' })).toEqual(['seconds: expected number, received string'])
  expect(problems(advance, 7)).toEqual(['expected object, received number'])
})

test('names the members there are, not those that came', () => {
  const [problem] = problems(z.array(exactly({ fault: z.string(), times: z.int() })), [
    { fault: 'x', times: 1, 'a-secret': 1 },
  ])
  expect(problem).toBe('[0]: unknown member, expected fault, times')
})

test('says one thing about each place', () => {
  expect(problems(clientSchema, { redirectUris: 'https://app.example/callback' })).toEqual([
    'redirectUris: expected array, received string',
  ])
})

test.each([
  [['token-hangs'], '[0]: unknown fault'],
  [[{ fault: 'token-hang', times: 0 }], '[0].times: Too small: expected number to be >0'],
  [[{ fault: 'token-hang', time: 1 }], '[0]: unknown member, expected fault, times, value'],
  [[1], '[0]: expected the id of a fault, or an object'],
])('says what is wrong with the faults %j', (value, problem) => {
  expect(problems(z.array(faultSpecSchema), value)).toEqual([problem])
})

test('says which redirect URI cannot be one', () => {
  const redirectUris = ['https://app.example/callback', 'localhost/callback']
  expect(problems(clientSchema, { redirectUris })).toEqual([
    'redirectUris[1]: expected an absolute URI without fragment and credentials',
  ])
})
