/** Compares AuthConfigs: whoever types them writes names in another casing, and adds members that are null. */

import { fieldsOf, member, textIn, type Fields } from '../wire.ts'

/** What an answer may write into the exchanged credential, or write otherwise. */
const ownMembers = ['authuri', 'redirecturi']

/** The path of the first member of the request that the answer lacks, or has otherwise; nothing where all are there. */
export function missingIn(answer: Fields, asked: Fields): string | undefined {
  return differs(asked, answer, '')
}

function differs(asked: unknown, answer: unknown, path: string): string | undefined {
  if (asked === null || asked === undefined) return undefined
  if (typeof asked !== 'object') return Object.is(asked, answer) ? undefined : path
  if (Array.isArray(asked))
    return JSON.stringify(asked) === JSON.stringify(answer) ? undefined : path
  const given = bySpelling(answer)
  for (const [name, each] of Object.entries(asked)) {
    const spelling = spellingOf(name)
    if (ownMembers.includes(spelling) && path.endsWith('oauth2')) continue
    const found = differs(each, given.get(spelling), path === '' ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function bySpelling(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(fieldsOf(value)).map(([name, each]) => [spellingOf(name), each]))
}

function spellingOf(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

/** The OAuth part of the exchanged credential of an answer. */
function exchangedOf(answer: Fields): Fields {
  return fieldsOf(fieldsOf(member(answer, 'exchangedAuthCredential'))['oauth2'])
}

/** A text of it, in either casing. */
export function exchangedText(answer: Fields, name: string): string | undefined {
  return textIn(member(exchangedOf(answer), name))
}
