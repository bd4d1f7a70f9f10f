import { expect, test } from 'vitest'
import { describeExamples } from '../../../../testing.ts'
import { lacking, notes, options, recording } from '../testing.ts'
import { smallScope, smallScopeLater } from './small-scope.ts'

const called = () => recording().followed().granted().call()
const lackedBy = (...scopes: readonly string[]) =>
  recording().followed().step('token-lacks', { scopes }).granted().call().challenged(lacking)
const control = recording('challenged-then-served').complete()
const judged = (recorded: ReturnType<typeof recording>) => [recorded, {}, control] as const

const later = () => recording().complete().granted().call()

describeExamples(
  [smallScopeLater],
  {
    'small-scope-later': {
      'mcp-auth-challenge/server/scope-challenge': {
        pass: {
          'in the result': judged(later().challenged(lacking)),
          'by HTTP': judged(later().http(403, { 'www-authenticate': lacking })),
        },
        violation: { served: judged(later().served()), 'no error': judged(later().challenged()) },
        inconclusive: {
          'not answered': judged(later()),
          'no such call': judged(recording().complete()),
          'a right token is not served either': [
            later().challenged(),
            {},
            recording('challenged-then-served').followed(),
          ],
        },
      },
    },
  },
  options,
)

describeExamples(
  [smallScope],
  {
    'small-scope': {
      'mcp-auth-challenge/server/scope-challenge': {
        pass: {
          'in the result': judged(called().challenged(lacking)),
          'with those that the token has beside it': judged(lackedBy('notes:list')),
          'by HTTP': judged(called().http(403, { 'www-authenticate': lacking })),
        },
        violation: {
          'without a scope': judged(called().challenged('Bearer error="insufficient_scope"')),
          'with what the token has': judged(lackedBy('notes:read', 'notes:list')),
          'another error': judged(called().challenged('Bearer error="invalid_token", scope="x"')),
          'no error': judged(called().challenged()),
          'by 401': judged(called().http(401, { 'www-authenticate': lacking })),
          served: judged(called().served()),
          'with what only a token with it opens': judged(
            called().challenged(lacking, { content: [{ type: 'text', text: notes }] }),
          ),
          'words alone': judged(called().result({ isError: true, content: [] })),
        },
        inconclusive: {
          'not answered': judged(called()),
          'no token': judged(recording().followed()),
          'no token was issued': judged(recording().followed().call().served()),
          'a right token is not served either': [
            called().challenged(),
            {},
            recording('challenged-then-served').followed(),
          ],
        },
      },
    },
  },
  options,
)

test('the need is seen where any challenge names a scope', () => {
  const seen = (recorded: ReturnType<typeof recording>) =>
    smallScope.needs?.seen(new Map([['a', recorded.transcript]]))
  expect(seen(recording().followed())?.type).toBe('response')
  expect(seen(recording().call().challenged('Bearer realm="x"'))).toBeUndefined()
})

test('it does not apply to a tool that is declared to need no scope', () => {
  const declared = { modern: true, logs: undefined, driven: 'command' } as const
  expect(smallScope.notApplicable?.({ ...declared, scopes: [] })).toMatch(/no scope/)
  expect(smallScope.notApplicable?.({ ...declared, scopes: undefined })).toBeUndefined()
})
