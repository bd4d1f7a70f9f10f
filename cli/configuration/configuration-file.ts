/** Reads a configuration file: JSON, or a JavaScript or TypeScript module with a default export. */

import { readFileSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { jsonErrorPosition } from './json-position.ts'
import { codeOf, isRecord, messageOf, recordOf, type UnknownRecord } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'

/** Names under which a configuration is looked for when a hint about it is given. */
export const usualNames = [
  'conformance.config.ts',
  'conformance.config.js',
  'conformance.config.json',
]

export interface ConfigurationFile {
  readonly content: UnknownRecord
  /** Folder against which its relative paths are resolved. */
  readonly base: string
}

/** Loads it without validating. @throws {@link UsageError} */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  const file = resolve(path)
  const text = readText(path, file)
  if (!/^\.([cm]?[jt]s|json)$/.test(extname(file))) {
    throw new UsageError(`${path}: expected a configuration, .json, .ts, .mts, .js or .mjs`, [
      'what starts your implementation belongs into its target.command',
      'aoc init writes one to start from',
    ])
  }
  const content = extname(file) === '.json' ? parseJson(path, text) : await importModule(path, file)
  if (!isRecord(content)) {
    const found =
      content === undefined ? 'no default export' : JSON.stringify(content)?.slice(0, 80)
    throw new UsageError(
      `${path}: expected an object with the configuration, found ${found ?? typeof content}`,
    )
  }
  return { content, base: dirname(file) }
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder, expected a file',
      EACCES: 'permission denied',
    }
    throw new UsageError(
      `cannot read the configuration ${path}: ${reasons[codeOf(error) ?? ''] ?? messageOf(error)}`,
      ['aoc init writes one to start from'],
    )
  }
}

function parseJson(path: string, text: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json) as unknown
  } catch (error) {
    const { line, column } = jsonErrorPosition(json)
    const what = messageOf(error).replace(/ \(line \d+ column \d+\)| in JSON at position \d+/, '')
    throw new UsageError(`${path}:${line}:${column}: not valid JSON: ${what}`)
  }
}

async function importModule(path: string, file: string): Promise<unknown> {
  try {
    if (/\.[cm]?js$/.test(file)) {
      return recordOf(await import(pathToFileURL(file).href))['default']
    }
    const { createJiti } = await import('jiti')
    const loaded = await createJiti(import.meta.url, {
      fsCache: false,
      interopDefault: false,
    }).import(file)
    return recordOf(loaded)['default']
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new UsageError(`${path}: cannot be loaded: ${what.trim()}`)
  }
}
