import { expect, test } from 'vitest'
import { misfit } from './misfit.ts'

const fitting = { title: 'Plums', tags: {} }

test.each([
  ['a text is an object', { properties: { title: { type: 'string' } } }, { title: {}, tags: {} }],
  [
    'an object is a text',
    { properties: { tags: { type: 'object' } } },
    { ...fitting, tags: 'a text' },
  ],
  ['what is required is missing', { required: ['title'] }, { tags: {} }],
  ['the schema allows everything', { type: 'object', properties: {} }, undefined],
  ['there is no schema', undefined, undefined],
])('%s', (_, schema, expected) => {
  expect(misfit(schema, fitting)).toEqual(expected)
})

test('there is more than is allowed', () => {
  expect(Object.keys(misfit({ additionalProperties: false }, {}) ?? {})).toHaveLength(1)
})
