/** `aoc init`: writes a configuration in which every setting is explained. */

import { existsSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { profiles } from '../../suites/registry.ts'
import { findProfile } from '../configuration/configure.ts'
import { configurationTemplate, startingSettings } from '../configuration/init-template.ts'
import { ownName } from '../print/own-name.ts'
import { terminalOf } from '../print/terminal.ts'
import { codeOf, messageOf } from '../input/unknown.ts'
import { UsageError } from '../input/usage-error.ts'
import { makeFolder } from '../outcome/make-folder.ts'

export interface InitOptions {
  readonly profile?: string
}

/** Writes the file unless there is one. @throws {@link UsageError} */
export async function init(file: string, options: InitOptions): Promise<number> {
  const profile = findProfile(options.profile ?? profiles[0]?.id)
  const type = extname(file)
  if (!['.ts', '.mts', '.js', '.mjs', '.json'].includes(type)) {
    throw new UsageError(`${file}: expected a name that ends in .ts, .mts, .js, .mjs or .json`)
  }
  const text =
    type === '.json'
      ? `${JSON.stringify(startingSettings(profile), undefined, 2)}\n`
      : configurationTemplate(profile)
  await makeIfAgreed(dirname(file))
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new UsageError(`${file} exists already and was not changed`, [
        `another name: aoc init FILE`,
      ])
    }
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`)
  }
  const terminal = terminalOf(process.stdout)
  terminal.line(`wrote ${file}: set target.command (or target.url), then`)
  terminal.line(`  ${ownName()} run --config ${file}`)
  return 0
}

/** A folder is made only where somebody agrees to it: a name may be mistyped. */
async function makeIfAgreed(folder: string): Promise<void> {
  if (existsSync(folder)) return
  if (!(await agreed(`There is no folder ${folder}. Make it? [y/N] `))) {
    throw new UsageError(`there is no folder ${folder}`, [`make it first: mkdir -p ${folder}`])
  }
  try {
    makeFolder(folder)
  } catch (error) {
    throw new UsageError(`cannot make ${folder}: ${messageOf(error)}`)
  }
}

/** Whether the user says yes; where there is nobody to ask, they do not. */
async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(?:es)?$/i.test((await prompt.question(question)).trim())
  } finally {
    prompt.close()
  }
}
