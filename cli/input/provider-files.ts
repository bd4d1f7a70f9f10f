/** Reads what `aoc provider` is given in files and arguments, and says where something is wrong. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  brandingSchema,
  claimRuleSchema,
  clientSchema,
  scopedFaultSchema,
  userSchema,
} from '../../mock-provider/provider/input-schemas.ts'
import { faults, type ScopedFaultSpec } from '../../mock-provider/faults/index.ts'
import { problemsOf } from '../../mock-provider/http/problems.ts'
import { suggest } from './suggest.ts'
import { messageOf } from './unknown.ts'
import { UsageError } from './usage-error.ts'

/** The clients of a JSON file. @throws UsageError */
export function readClients(file: string) {
  const clients = readList(file, clientSchema, 'clients')
  const ids = clients.flatMap(({ clientId }) => clientId ?? [])
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new UsageError(`${file}: there are two clients ${twice}`)
  return clients
}

/** The users of a JSON file. @throws UsageError */
export const readUsers = (file: string) => readList(file, userSchema, 'users')

/** The claims of a JSON file that are added to tokens. @throws UsageError */
export const readClaimRules = (file: string) => readList(file, claimRuleSchema, 'claim rules')

/** The look of the login page, of a JSON file. @throws UsageError */
export const readBranding = (file: string) => readAs(file, brandingSchema, 'the look of a page')

const readList = <T>(file: string, schema: z.ZodType<T>, what: string): readonly T[] =>
  readAs(file, z.array(schema), `a list of ${what}`)

function readAs<T>(file: string, schema: z.ZodType<T>, what: string): T {
  const result = schema.safeParse(parseJson(readText(file), file))
  if (result.success) return result.data
  throw new UsageError(`${file} is not ${what}`, [
    ...problemsOf(result.error),
    ...result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys' ? [`unknown: ${issue.keys.join(', ')}`] : [],
    ),
  ])
}

/** A text file. @throws UsageError */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${messageOf(error)}`)
  }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${messageOf(error)}`)
  }
}

/**
 * A fault as an argument: `ID`, `ID@SCOPE`, or JSON with `fault`, `times`, `value` and `scope`.
 * @throws UsageError
 */
export function readFault(argument: string): ScopedFaultSpec {
  const [fault = '', scope] = split(argument)
  const given = argument.startsWith('{')
    ? parseJson(argument, '--fault')
    : { fault, ...(scope !== undefined && { scope }) }
  const result = scopedFaultSchema.safeParse(given)
  if (result.success) return result.data
  const near = suggest(fault, Object.keys(faults))
  throw new UsageError(`--fault: ${argument} is not a fault with a scope`, [
    ...problemsOf(result.error),
    ...(near.length > 0 && !Object.hasOwn(faults, fault)
      ? [`did you mean ${near.join(', ')}?`]
      : []),
    'as token-error-503, token-hang@client:web, or \'{"fault":"token-error-503","times":2}\'',
    'aoc provider --list-faults shows all',
  ])
}

function split(argument: string): readonly string[] {
  const at = argument.indexOf('@')
  return at < 0 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)]
}
