/** The names that scenarios and verbs of the tool share. */

import { randomBytes } from 'node:crypto'

/** A random name that is unique in the run and says in a log where it comes from. */
export function uniqueId(kind: string): string {
  return `${kind}-${randomBytes(9).toString('hex')}`
}

/** Path of the discovery document below the base URL (RAP Toolsets, Discovery). */
export const manifestPath = '/.well-known/rap-toolset'

/** What arrives at {@link Tool.elsewhere} is recorded for this name, which no call has. */
export const elsewhereCall = 'elsewhere'
