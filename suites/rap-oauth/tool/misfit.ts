/** Arguments that an input schema does not allow, as far as it says what it allows. */

import { anyName, membersOf } from '../../../harness/engine/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** An object like the one that fits, with one thing wrong; undefined where the schema allows any object. */
export function misfit(schema: unknown, fitting: Fields): Fields | undefined {
  const { properties, required, additionalProperties } = membersOf(schema)
  const [typed] = Object.entries(membersOf(properties)).flatMap(([name, property]) => {
    const { type } = membersOf(property)
    return typeof type === 'string' ? [{ name, type }] : []
  })
  if (typed) return { ...fitting, [typed.name]: typed.type === 'object' ? 'a text' : {} }
  if (Array.isArray(required) && required.length > 0) {
    return Object.fromEntries(Object.entries(fitting).filter(([name]) => name !== required[0]))
  }
  return additionalProperties === false ? { ...fitting, [anyName('unknown')]: 1 } : undefined
}
