import { expect, test } from 'vitest'
import { userRequest } from './user-request.ts'

const values = { conversation: 'conv/1', user: 'user-1', text: 'Say "hi".' }
const template = { method: 'POST', path: '/{conversation}/say', headers: {} }

test('values are encoded in the path, and filled into every string of the body', () => {
  const body = { from: '{user}', parts: [{ text: '{text}' }, 1, null] }
  expect(userRequest({ ...template, body }, values)).toEqual({
    method: 'POST',
    path: '/conv%2F1/say',
    headers: { 'content-type': 'application/json' },
    body: '{"from":"user-1","parts":[{"text":"Say \\"hi\\"."},1,null]}',
  })
})

test('a text is sent as it is, under the headers of the configuration', () => {
  const headers = { 'Content-Type': 'text/plain', 'X-User': '{user}' }
  expect(userRequest({ ...template, headers, body: '{user}: {text}' }, values)).toMatchObject({
    headers: { 'content-type': 'text/plain', 'x-user': 'user-1' },
    body: 'user-1: Say "hi".',
  })
})

test('the headers of every request come before those of the template', () => {
  const headers = { 'X-Key': 'own' }
  const everywhere = { 'x-key': 'common', 'content-type': 'application/vnd.chat+json' }
  expect(userRequest({ ...template, headers, body: {} }, values, everywhere).headers).toEqual({
    'x-key': 'own',
    'content-type': 'application/vnd.chat+json',
  })
})

test('what has no body is not announced as JSON', () => {
  expect(userRequest(template, values)).toMatchObject({ headers: {}, body: undefined })
})
