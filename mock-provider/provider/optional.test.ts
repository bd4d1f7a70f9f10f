import { expect, test } from 'vitest'
import { optional } from './optional.ts'

function missing(name: string): Promise<never> {
  const error = new Error(`Cannot find package '${name}' imported from /somewhere/redis.js`)
  return Promise.reject(Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' }))
}

test('a package that is not installed is named with the command that adds it', async () => {
  await expect(optional(() => missing('some-db'), 'some-db', 'A storage')).rejects.toThrow(
    'A storage needs a package that is not installed: npm install some-db',
  )
})

test('what the package itself does not find is not hidden', async () => {
  await expect(optional(() => missing('other'), 'some-db', 'A storage')).rejects.toThrow(
    "Cannot find package 'other'",
  )
})

test('what is installed is loaded', async () => {
  await expect(optional(() => Promise.resolve(7), 'some-db', 'A storage')).resolves.toBe(7)
})
