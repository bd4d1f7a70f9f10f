import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { claimOf, freePort } from './free-port.ts'

test('every port is another one, is free, and is none that the system hands out by itself', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set(ports).size).toBe(20)
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000)
  expect(Math.max(...ports)).toBeLessThan(30_000)
})

const after = (port: number) => (port === 29_999 ? 20_000 : port + 1)

test('a port that is taken is passed over', async () => {
  const next = after(await freePort())
  const server = createServer().listen(next, '127.0.0.1')
  await Promise.race([once(server, 'listening'), once(server, 'error')])
  expect(await freePort()).not.toBe(next)
  server.close()
})

test.runIf(process.platform === 'linux')(
  'one that another run was given is passed over, also before somebody listens there',
  async () => {
    const next = after(await freePort())
    const claim = createServer().listen({ path: claimOf(next) })
    await Promise.race([once(claim, 'listening'), once(claim, 'error')])
    expect(await freePort()).not.toBe(next)
    claim.close()
  },
)
