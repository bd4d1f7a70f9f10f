import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createAuthority, type RunningProvider } from '../../../mock-provider/index.ts'
import { isFixed, placeOf, serveAt, unbound } from './place.ts'

const open: RunningProvider[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const tls = (await createAuthority()).issue(['github.com'])

test.each([
  [{ port: 0 }, false],
  [{ port: 8443 }, true],
  [{ port: 8443, hostname: 'provider.test' }, true],
  [{ port: 0, hostname: 'provider.test' }, false],
  [{ port: 0, hostnames: ['github.com'] }, false],
])('two providers at %j are in the way of each other: %s', (settings, fixed) => {
  expect(isFixed(placeOf(settings))).toBe(fixed)
})

test('real names are served at port 443 of an address that nobody else has', () => {
  const { names, addresses, port } = placeOf({ hostnames: ['github.com', 'a.test'], port: 0 })
  expect({ names, first: addresses[0], port }).toEqual({
    names: ['github.com', 'a.test'],
    first: '127.0.0.77',
    port: 443,
  })
})

test('an address that is taken is left to whoever has it', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.78', () => resolve((other.address() as { port: number }).port)),
  )
  const place = { names: ['github.com'], addresses: ['127.0.0.78', '127.0.0.79'], port }
  const served = await serveAt(place, { tls: await tls })
  open.push(served)
  other.close()
  expect([served.address, served.issuer]).toEqual(['127.0.0.79', `https://github.com:${port}`])
})

test('one place that is taken is an error', async () => {
  const first = await serveAt(placeOf({ port: 0 }), { tls: await tls })
  open.push(first)
  const again = serveAt(placeOf({ port: first.port }), { tls: await tls })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

const withCode = (code: string) => Object.assign(new Error('listen'), { code })

test('who may not listen on port 443 is told the three ways', () => {
  const said = String(unbound(withCode('EACCES'), '127.0.0.77'))
  for (const way of ['as root', 'setcap cap_net_bind_service', 'ip_unprivileged_port_start'])
    expect(said).toContain(way)
})

test('a machine without the address is told how to have it', () => {
  expect(String(unbound(withCode('EADDRNOTAVAIL'), '127.0.0.77'))).toContain('ifconfig lo0 alias')
  const other = withCode('EIO')
  expect(unbound(other, '127.0.0.77')).toBe(other)
})
