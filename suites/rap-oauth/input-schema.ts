/**
 * JSON Schema as far as its drafts agree, from draft 4 to 2020-12: keywords that no draft knows may have any value, and
 * one that changed its form may have each of them.
 */

import { z } from 'zod'

const types = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
const count = z.number().int().nonnegative()
const strings = z.array(z.string())

/** A schema within a schema; since draft 6 it may be a boolean. */
const schema: z.ZodType = z.lazy(() =>
  z.preprocess((value) => (typeof value === 'boolean' ? {} : value), keywords),
)
const schemas = z.array(schema).min(1)
const named = z.record(z.string(), schema)

const forms = {
  type: oneOrMore(types),
  ...all(named, 'properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas'),
  ...all(schemas, 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...all(schema, 'not', 'if', 'then', 'else', 'contains', 'propertyNames'),
  ...all(schema, 'additionalItems', 'additionalProperties'),
  ...all(schema, 'unevaluatedItems', 'unevaluatedProperties'),
  items: oneOrMore(schema),
  required: strings,
  enum: z.array(z.unknown()),
  ...all(count, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...all(count, 'minContains', 'maxContains'),
  ...all(z.number(), 'minimum', 'maximum'),
  multipleOf: z.number().positive(),
  ...all(z.union([z.number(), z.boolean()]), 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all(z.string(), 'title', 'description', 'format', 'pattern', '$schema', '$ref', '$comment'),
  ...all(z.boolean(), 'uniqueItems', 'readOnly', 'writeOnly', 'deprecated'),
}

const keywords = z.looseObject(forms).partial()

/** RAP Toolsets, Input Schema: "MUST be a valid JSON Schema object", of any draft that it names. */
export const inputSchema = z.looseObject({}).superRefine((value, context) => {
  if (!isKnown(value['$schema'])) return
  for (const issue of keywords.safeParse(value).error?.issues ?? [])
    context.addIssue({ code: 'custom', message: issue.message, path: issue.path })
})

/** What a draft that is not known here demands, such as draft 3, is not known either. */
function isKnown(draft: unknown): boolean {
  return (
    typeof draft !== 'string' ||
    /^https?:\/\/json-schema\.org\/(draft-0[467]|draft\/20(19-09|20-12))\/schema#?$/.test(draft)
  )
}

/** A draft has one, another one many. */
function oneOrMore(one: z.ZodType) {
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(one))
}

function all<Name extends string>(form: z.ZodType, ...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, form])) as Record<Name, z.ZodType>
}
