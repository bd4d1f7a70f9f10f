/** Lines of scenarios that stand in two folders of them: what two roles are asked alike is written once. */

import type { SourceTree } from './source-tree.ts'

/** Lines of one file that are those of another. */
export const mostLike = 11

const scenarioFile = /^(suites\/.+)\/scenarios\/.+\.ts$/
const ofTests = /\.test\.ts$|\/testing\.ts$/

interface Place {
  readonly folder: string
  readonly path: string
  readonly line: number
}

/** Pairs of places in two folders from which more lines are alike than may be. */
export function copiesIn(tree: SourceTree): string[] {
  const first = new Map<string, Place>()
  const found: string[] = []
  for (const [path, text] of tree) {
    const folder = scenarioFile.exec(path)?.[1]
    if (folder === undefined || ofTests.test(path)) continue
    const lines = linesOf(text)
    for (let at = 0; at + mostLike < lines.length; at += 1) {
      const run = lines.slice(at, at + mostLike + 1)
      const key = run.map((each) => each.text).join('\n')
      const place = { folder, path, line: run[0]!.number }
      const known = first.get(key)
      if (known === undefined) first.set(key, place)
      else if (known.folder !== folder)
        found.push(`${known.path}:${known.line} ~ ${path}:${place.line}`)
    }
  }
  return found
}

/** The lines that say something: no blank ones, and none of imports, which are alike where the same is used. */
function linesOf(text: string): { readonly text: string; readonly number: number }[] {
  const code = text.replaceAll(/^(import|export) (type )?\{[^}]*\} from .*$/gm, (statement) =>
    statement.replaceAll(/[^\n]/g, ''),
  )
  return code.split('\n').flatMap((line, index) => {
    const trimmed = line.trim()
    return trimmed === '' || trimmed.startsWith('import ')
      ? []
      : [{ text: trimmed, number: index + 1 }]
  })
}
