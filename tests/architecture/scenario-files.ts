/** Files of a folder of scenarios that its index does not reach. */

import { posix } from 'node:path'
import type { Imports } from './source-tree.ts'

const scenarioFile = /^(.+\/scenarios)\/.+\.ts$/
const ofTests = /\.test\.ts$|\/testing\.ts$/

export function unregisteredScenarios(imports: Imports): string[] {
  const files = [...imports.keys()].filter((path) => scenarioFile.test(path) && !ofTests.test(path))
  const folders = new Set(files.map((path) => scenarioFile.exec(path)?.[1] ?? ''))
  const registered = new Set([...folders].flatMap((folder) => reachedFrom(folder, imports)))
  return files
    .filter((path) => !registered.has(path))
    .map((path) => `${path}: scenarios/index.ts does not reach it`)
}

/** The index of a folder and what it imports there, directly or not. */
function reachedFrom(folder: string, imports: Imports): string[] {
  const reached = [posix.join(folder, 'index.ts')]
  for (const file of reached) {
    const next = imports.get(file) ?? []
    reached.push(...next.filter((path) => path.startsWith(folder) && !reached.includes(path)))
  }
  return reached
}
