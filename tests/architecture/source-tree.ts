/** The files of a tree, and what each imports of it: type-only, re-exported and dynamically imported files included. */

import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parse, type ParserPlugin } from '@babel/parser'

/** Texts by their paths, which are relative to the root of the tree and have `/` between their parts. */
export type SourceTree = ReadonlyMap<string, string>

/** The paths that each file of a tree imports, resolved; packages are left out. */
export type Imports = ReadonlyMap<string, readonly string[]>

const generated = /(^|\/)(node_modules|dist)(\/|$)/

/** Reads what stands below these folders of a root, and these files. */
export function readTree(root: string, entries: readonly string[]): SourceTree {
  const paths = entries.flatMap((entry) =>
    statSync(join(root, entry)).isFile() ? [entry] : filesBelow(root, entry),
  )
  const own = paths.filter((path) => !generated.test(path))
  return new Map(own.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(posix.relative(root, entry.parentPath), entry.name))
}

export function importsOf(tree: SourceTree): Imports {
  const sources = [...tree].filter(([path]) => path.endsWith('.ts'))
  return new Map(
    sources.map(([path, text]) => {
      const relative = specifiersOf(text).filter((specifier) => specifier.startsWith('.'))
      const resolved = relative.map((each) => posix.join(posix.dirname(path), each))
      return [path, [...new Set(resolved)]]
    }),
  )
}

/** The text of a TypeScript file without its documentation comments. */
export function withoutDocumentation(text: string): string {
  const { comments } = parsed(text)
  const documentation = (comments ?? []).filter(
    ({ type, value }) => type === 'CommentBlock' && value.startsWith('*'),
  )
  // From the end, so that positions stay true; line breaks stay, so that lines do, too.
  return documentation.toReversed().reduce((rest, { start, end }) => {
    const gap = rest.slice(start ?? 0, end ?? 0).replaceAll(/[^\n]/g, ' ')
    return rest.slice(0, start ?? 0) + gap + rest.slice(end ?? 0)
  }, text)
}

/** The modules that a TypeScript text names in an import, an export or a type. */
function specifiersOf(text: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (!isNode(node)) return
    const named = node.type === 'ImportDeclaration' || node.type.startsWith('Export')
    const source = named || node.type === 'ImportExpression' ? node['source'] : undefined
    const specifier = node.type === 'TSImportType' ? node['argument'] : source
    if (isNode(specifier) && typeof specifier['value'] === 'string') found.push(specifier['value'])
    Object.values(node).forEach(visit)
  }
  visit(parsed(text).program)
  return found
}

interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function parsed(text: string) {
  const plugins: ParserPlugin[] = ['typescript']
  return parse(text, {
    sourceType: 'module',
    plugins,
    attachComment: false,
    createImportExpressions: true,
  })
}
