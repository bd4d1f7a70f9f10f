/** The house: which way imports go, no cycles, no scenario forgotten, and no protocol outside of its folder. */

import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { copiesIn, mostLike } from './architecture/copies.ts'
import { cyclesOf } from './architecture/cycles.ts'
import { wrongDirections } from './architecture/directions.ts'
import { exceptions, protocolLeaks, protocolWords } from './architecture/protocol-words.ts'
import { unregisteredScenarios } from './architecture/scenario-files.ts'
import { importsOf, readTree, type SourceTree } from './architecture/source-tree.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = [
  'bench',
  'cli',
  'harness',
  'mock-model',
  'mock-provider',
  'reports',
  'suites',
  'tests',
]

describe('this repository', () => {
  const tree = readTree(root, [...rooms, 'index.ts'])
  const imports = importsOf(tree)

  test('is read as a whole', () => {
    expect(imports.size).toBeGreaterThan(500)
    const known = (path: string): boolean => tree.has(path) || path.endsWith('.json')
    const unknown = [...imports].flatMap(([from, paths]) =>
      paths.filter((path) => !known(path)).map((path) => `${from}: ${path}`),
    )
    expect(unknown).toEqual([])
  })

  test('has imports that go one way', () => expect(wrongDirections(tree, imports)).toEqual([]))
  test('has no cycles, types included', () => expect(cyclesOf(imports)).toEqual([]))
  test('registers all scenarios', () => expect(unregisteredScenarios(imports)).toEqual([]))

  test('has no scenarios that are copies of others', () => expect(copiesIn(tree)).toEqual([]))

  test('names no protocol where every protocol is served', () => {
    expect(protocolWords(tree)).toContain('rap')
    expect(protocolLeaks(tree)).toEqual([])
  })

  test('needs its exceptions', () => {
    const unneeded = exceptions.filter(
      ({ word, below }) =>
        ![...tree].some(([path, text]) => path.startsWith(below) && text.includes(word)),
    )
    expect(unneeded).toEqual([])
  })
})

/** A house of two protocols in which everything stands right. */
const house: Readonly<Record<string, string>> = {
  'index.ts': `export { profiles } from './suites/registry.ts'`,
  'cli/list.ts': `import { profiles } from '../suites/registry.ts'`,
  'harness/engine/profile.ts': `/** For example \`knock/door\`. */\nexport interface Profile {}`,
  'harness/parties/user.ts': `import type { Profile } from '../engine/profile.ts'`,
  'mock-provider/index.ts': ``,
  'reports/page.ts': `import type { Profile } from '../harness/engine/profile.ts'`,
  'suites/registry.ts': `import { door } from './knock-knock/door/profile.ts'`,
  'suites/host/checks.ts': `import type { Profile } from '../../harness/engine/profile.ts'`,
  'suites/knock-knock/messages.ts': ``,
  'suites/knock-knock/door/profile.ts': [
    `import { checks } from '../../host/checks.ts'`,
    `import { conformance } from './reference/conformance.ts'`,
    `import { scenarios } from './scenarios/index.ts'`,
  ].join('\n'),
  'suites/knock-knock/door/reference/conformance.ts': `import './main.ts'`,
  'suites/knock-knock/door/reference/main.ts': ``,
  'suites/knock-knock/door/scenarios/index.ts': `export * from './opened.ts'`,
  'suites/knock-knock/door/scenarios/opened.ts': `import '../../messages.ts'`,
  'suites/knock-knock/guest/profile.ts': `import '../messages.ts'`,
  'suites/whistle/dog/profile.ts': ``,
}

function changed(changes: Readonly<Record<string, string>>): SourceTree {
  return new Map(Object.entries({ ...house, ...changes }))
}

/** What all of the rules find. */
function problemsOf(tree: SourceTree): string[] {
  const imports = importsOf(tree)
  return [
    ...wrongDirections(tree, imports),
    ...cyclesOf(imports).map((files) => files.join(' and ')),
    ...unregisteredScenarios(imports),
    ...protocolLeaks(tree),
  ]
}

describe('in a house of two protocols', () => {
  test('nothing is found', () => expect(problemsOf(changed({}))).toEqual([]))

  test.each<[string, string, string, string]>([
    [
      'an import',
      'mock-provider/index.ts',
      `import { a } from '../harness/engine/profile.ts'`,
      'the mock provider may not import harness/engine/profile.ts',
    ],
    [
      'a type-only import',
      'harness/engine/event.ts',
      `import type { A } from '../parties/user.ts'`,
      'the engine may not import harness/parties/user.ts',
    ],
    [
      'a re-export',
      'harness/parties/all.ts',
      `export * from '../../suites/registry.ts'`,
      'the harness may not import suites/registry.ts',
    ],
    [
      'a named re-export of a type',
      'reports/names.ts',
      `export type { A } from '../harness/parties/user.ts'`,
      'a report may not import harness/parties/user.ts',
    ],
    [
      'a dynamic import',
      'cli/run.ts',
      `const { checks } = await import('../suites/host/checks.ts')`,
      'the command line may not import suites/host/checks.ts',
    ],
    [
      'an import in a type',
      'reports/types.ts',
      `export type A = import('../cli/list.ts').A`,
      'a report may not import cli/list.ts',
    ],
    [
      'another protocol',
      'suites/whistle/dog/view.ts',
      `import '../../knock-knock/messages.ts'`,
      'a protocol may not import suites/knock-knock/messages.ts',
    ],
    [
      'another role',
      'suites/knock-knock/guest/view.ts',
      `import '../door/profile.ts'`,
      'a protocol may not import suites/knock-knock/door/profile.ts',
    ],
    [
      'a reference implementation',
      'suites/knock-knock/door/checks.ts',
      `import './reference/main.ts'`,
      'a protocol may not import suites/knock-knock/door/reference/main.ts',
    ],
    [
      'what a reference implementation is certified by',
      'suites/knock-knock/door/reference/messages.ts',
      `import '../../messages.ts'`,
      'a reference implementation may not import suites/knock-knock/messages.ts',
    ],
    [
      'a protocol from what protocols share',
      'suites/host/view.ts',
      `import '../whistle/dog/profile.ts'`,
      'what protocols share may not import suites/whistle/dog/profile.ts',
    ],
  ])('%s in the wrong direction is found', (_, path, text, problem) => {
    expect(problemsOf(changed({ [path]: text }))).toEqual([`${path}: ${problem}`])
  })

  test('a cycle is found, also where one half of it is a type', () => {
    const tree = changed({
      'harness/engine/a.ts': `import { b } from './b.ts'`,
      'harness/engine/b.ts': `import type { A } from './c.ts'`,
      'harness/engine/c.ts': `export type { A } from './a.ts'`,
      'harness/engine/d.ts': `import './a.ts'`,
    })
    const cycle = 'harness/engine/a.ts and harness/engine/b.ts and harness/engine/c.ts'
    expect(problemsOf(tree)).toEqual([cycle])
  })

  test('a scenario that the index does not know is found', () => {
    const path = 'suites/knock-knock/door/scenarios/locked.ts'
    const tree = changed({ [path]: '', [path.replace('.ts', '.test.ts')]: `import './locked.ts'` })
    expect(problemsOf(tree)).toEqual([`${path}: scenarios/index.ts does not reach it`])
  })

  test('a scenario that is written twice is found', () => {
    const lines = (many: number) => Array.from({ length: many }, (_, index) => `line(${index})`)
    const copied = (many: number) => ({
      'suites/knock-knock/door/scenarios/a.ts': lines(many).join('\n'),
      'suites/knock-knock/guest/scenarios/b.ts': `\n${lines(many).join('\n\n')}`,
    })
    expect(copiesIn(new Map(Object.entries(copied(mostLike))))).toEqual([])
    expect(copiesIn(new Map(Object.entries(copied(mostLike + 1))))).toEqual([
      'suites/knock-knock/door/scenarios/a.ts:1 ~ suites/knock-knock/guest/scenarios/b.ts:2',
    ])
  })

  test.each([
    ['in a text', 'cli/texts.ts', `const text = 'start it with knock serve'`],
    ['as part of a name', 'harness/engine/names.ts', `export const knockEvents = []`],
    ['in an ordinary comment', 'reports/lanes.ts', `// Knock has three of them.`],
    ['in an example of a test', 'reports/lanes.test.ts', `const id = 'knock-knock/door/open'`],
    ['of the second protocol', 'mock-model/index.ts', `const WHISTLE = true`],
  ])('a word of a protocol %s is found', (_, path, text) => {
    expect(problemsOf(changed({ [path]: text }))).toEqual([
      expect.stringMatching(`^${path}:1: (knock|whistle) is a protocol's word$`),
    ])
  })

  test('a file that is named after a protocol is found', () => {
    const tree = changed({ 'reports/knock-lanes.ts': '' })
    expect(problemsOf(tree)).toEqual([`reports/knock-lanes.ts:0: knock is a protocol's word`])
  })
})
