/** Every export of the package has a doc comment: what editors show, and what `npm run docs:api` makes pages of. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly default: string }>>
}
/** The sources that the subpaths are built from. */
const entries = Object.values(exports).flatMap((target) =>
  typeof target === 'string'
    ? []
    : [new URL(target.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts'), root)],
)

/** What a module declares and exports, each with whether a doc comment stands right above it. */
function declared(source: string): Map<string, boolean> {
  const declarations =
    /(\*\/\n(?:\/\/.*\n)*)?^export (?:declare )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm
  const found = [...source.matchAll(declarations)]
  return new Map(
    // of an overloaded function, the first signature is documented
    found.toReversed().map(([, comment, name = '']) => [name, comment !== undefined]),
  )
}

/** The exports of a module without a doc comment, of all it passes on too; `only` some of them. */
function undocumented(module: URL, only?: readonly string[]): string[] {
  const source = readFileSync(module, 'utf8')
  const path = module.pathname.slice(root.pathname.length)
  const wanted = (name: string) => only === undefined || only.includes(name)
  const own = [...declared(source)].filter(([name, documented]) => wanted(name) && !documented)
  const passedOn = [
    ...source.matchAll(/^export (?:type )?(?:\*|\{([^}]+)\}) from '(\..+?)'/gm),
  ].flatMap(([, names, from = '']) => {
    const these = names?.split(',').map((name) => name.trim().replace(/^type /, ''))
    const some = these?.filter((name) => name !== '' && wanted(name)) ?? only
    return some?.length === 0 ? [] : undocumented(new URL(from, module), some)
  })
  return [...own.map(([name]) => `${path}: ${name}`), ...passedOn]
}

test('every export has a doc comment', () => {
  expect(entries.length).toBeGreaterThan(4)
  expect([...new Set(entries.flatMap((entry) => undocumented(entry)))].toSorted()).toEqual([])
})
