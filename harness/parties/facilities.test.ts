import { afterEach, expect, test } from 'vitest'
import { ConfigurationError } from '../engine/configuration.ts'
import { providerSchema } from './provider-settings.ts'
import { targetSchema } from './target-settings.ts'
import { facilities, findLibrary, requireOffered } from './facilities.ts'

const { platform } = process
const on = (value: string) => Object.defineProperty(process, 'platform', { value })
afterEach(() => on(platform))

const provider = providerSchema.parse({ hostnames: ['github.com'] })
const started = targetSchema.parse({ command: ['node'] })
const running = targetSchema.parse({ url: 'http://127.0.0.1:8080' })

function problemOf(configuration: Parameters<typeof requireOffered>[0]): string {
  try {
    requireOffered(configuration)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return String(error)
  }
}

test.each([
  ['real names', { target: started, provider }, 'apt-get install -y libnss-wrapper'],
  ['a clock', { target: { ...started, clock: 'jump' as const } }, 'apt-get install -y faketime'],
])('%s that cannot be had are refused with what helps', (_, configuration, install) => {
  on('darwin')
  expect(problemOf(configuration)).toContain(install)
  expect(problemOf(configuration)).toContain('on Linux')
})

test.each([
  ['nothing of it is asked for', { target: started, provider: providerSchema.parse({}) }],
  ['the implementation is started by somebody else', { target: running, provider }],
  ['time passes really', { target: { ...started, clock: 'real' as const } }],
])('nothing is needed where %s', (_, configuration) => {
  on('darwin')
  expect(problemOf(configuration)).toBe('')
})

test('a moved clock does not go with a fixed port of the provider', () => {
  const target = { ...started, clock: 'jump' as const }
  const fixed = providerSchema.parse({ port: 8443 })
  expect(problemOf({ target, provider: fixed })).toContain('provider.port')
})

test('a library that is found is a file, and on Linux alone', () => {
  expect(findLibrary('libfaketime') ?? '/libfaketime.so.1').toMatch(/libfaketime\.so\.1$/)
  on('darwin')
  expect(findLibrary('libfaketime')).toBeUndefined()
})

test('each facility says what it is for and how it is had', () => {
  for (const { name, purpose, install } of facilities)
    expect([name, purpose, install].every((text) => text.length > 3)).toBe(true)
})
