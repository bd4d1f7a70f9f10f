/** The documentation says what the code does. `vitest run mock-provider/docs.test.ts --update` writes the lists of faults and presets anew. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from './control/operations.ts'
import type { Fault } from './faults/fault.ts'
import { faults } from './faults/index.ts'
import type { Preset } from './presets/deviation.ts'
import { presets } from './presets/index.ts'

const page = readFileSync(new URL('../docs/mock-provider.md', import.meta.url), 'utf8')

test('every fault is listed', async () => {
  const all: readonly (readonly [string, Fault])[] = Object.entries(faults)
  const endpoints = [...new Set(all.map(([, { endpoint }]) => endpoint))]
  const sections = endpoints.map((endpoint) => {
    const lines = all
      .filter(([, fault]) => fault.endpoint === endpoint)
      .map(
        ([id, { description, section }]) =>
          `- \`${id}\`: ${description}${section ? ` (${section})` : ''}`,
      )
    return `## ${endpoint}\n\n${lines.join('\n')}`
  })
  const text = `# The faults of the mock provider\n\nBy the place where they act. How they are switched: [mock-provider.md](mock-provider.md#faults).\n\n${sections.join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot('../docs/mock-provider-faults.md')
})

test('every deviation of every preset is listed', async () => {
  const all: readonly (readonly [string, Preset])[] = Object.entries(presets)
  const sections = all.map(([name, { title, deviations }]) => {
    const lines = Object.entries(deviations).map(
      ([id, { description, source, verified }]) =>
        `- \`${id}\`: ${description}. ${verified ? 'Source' : 'Not verified'}: ${source}`,
    )
    return `## ${title}: \`${name}\`\n\n${lines.join('\n')}`
  })
  const text = `# The presets of the mock provider\n\nHow each deviates from the RFCs, and where that is documented. How one is chosen: [mock-provider.md](mock-provider.md#presets).\n\n${sections.join('\n\n')}\n`
  await expect(text).toMatchFileSnapshot('../docs/mock-provider-presets.md')
})

test('every operation of the control API is listed', () => {
  const listed = page.slice(
    page.indexOf('<!-- operations -->'),
    page.indexOf('<!-- /operations -->'),
  )
  const lines = operations.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)
  expect(listed.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines)
})

test.each([
  [
    'option of an issuer',
    /^ {2}readonly (\w+)\?:/gm,
    './provider/options.ts',
    'export interface IssuerOptions',
  ],
  [
    'option of the provider',
    /^ {2}readonly (\w+)\?:/gm,
    './provider/provider.ts',
    'export interface MockProviderOptions',
  ],
  [
    'option of the server',
    /^ {2}readonly (\w+)\?:/gm,
    './provider/serve.ts',
    'export interface ServeOptions',
  ],
  [
    'option of the command',
    /'--([\w-]+)[ ']/g,
    '../cli/commands/declare-provider.ts',
    'export const declareProvider',
  ],
])('every %s is described', (_, pattern, file, start) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const from = source.slice(source.indexOf(start))
  const names = [...from.slice(0, from.indexOf('\n}\n')).matchAll(pattern)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(1)
  expect(
    names.filter((name) => !page.includes(`\`${name}`) && !page.includes(`--${name}`)),
  ).toEqual([])
})
