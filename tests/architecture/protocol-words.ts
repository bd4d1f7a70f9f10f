/** Words of a protocol in rooms that know none. */

import { posix } from 'node:path'
import { sharedSuites } from './directions.ts'
import { withoutDocumentation, type SourceTree } from './source-tree.ts'

/** The rooms that serve every protocol alike. */
const rooms = /^(harness|reports|cli|mock-model|mock-provider)\//

interface Exception {
  readonly word: string
  readonly below: string
  readonly because: string
}

/** Words that are a protocol's and also something that a room does by itself. */
export const exceptions: readonly Exception[] = [
  {
    word: 'mcp',
    below: 'mock-provider/',
    because: 'its protected API can also be called as an MCP server',
  },
  {
    word: 'mcp',
    below: 'harness/parties/provider/',
    because: 'it names the endpoint of the mock provider when it records who called',
  },
]

/** The first word of the name of each protocol's folder: `rap` of `rap-oauth`. */
export function protocolWords(tree: SourceTree): string[] {
  const folders = [...tree.keys()].flatMap((path) => /^suites\/([^/]+)\//.exec(path)?.[1] ?? [])
  const protocols = [...new Set(folders)].filter((folder) => !sharedSuites.includes(folder))
  return protocols.map((folder) => folder.replace(/-.*/s, ''))
}

/**
 * Where such a word stands in a name or in the text of a room, alone or as a part of an identifier (`rapTool`). Only
 * documentation comments may give a protocol as an example.
 */
export function protocolLeaks(tree: SourceTree): string[] {
  const words = protocolWords(tree)
  return [...tree].flatMap(([path, text]) => {
    if (!rooms.test(path)) return []
    const own = words.filter((word) => !isException(word, path))
    const code = path.endsWith('.ts') ? withoutDocumentation(text) : text
    const lines = [posix.basename(path), ...code.split('\n')]
    return lines.flatMap((line, number) =>
      wordsOf(line)
        .filter((word) => own.includes(word))
        .map((word) => `${path}:${number}: ${word} is a protocol's word`),
    )
  })
}

function isException(word: string, path: string): boolean {
  return exceptions.some((each) => each.word === word && path.startsWith(each.below))
}

/** The words of a line in lower case, those within identifiers included. */
function wordsOf(line: string): string[] {
  const words = line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  return [...new Set(words.map((word) => word.toLowerCase()))]
}
