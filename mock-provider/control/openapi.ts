/** Describes the control API in OpenAPI 3.1, made from its operations. */
import { z } from 'zod'
import type { Operation } from './operation.ts'
import { error } from './schemas.ts'

/** The OpenAPI document; `tenants` tells whether the operations exist for each tenant, too. */
export function openApiDocument(
  operations: readonly Operation[],
  { issuer, prefix, tenants }: { issuer: string; prefix: string; tenants: boolean },
) {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const describe = (operation: Operation, path: string, id: string) => {
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, path, id, components),
    }
  }
  for (const operation of operations) {
    describe(operation, operation.path, operation.id)
    if (!tenants || operation.rootOnly) continue
    describe(operation, `/tenants/{tenant}${operation.path}`, `${operation.id}OfTenant`)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the mock OAuth provider',
      version: '1.0.0',
      description: 'Shows what the provider keeps, moves its clock, and makes it misbehave.',
    },
    servers: [{ url: new URL(issuer).origin + prefix }],
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function describeOperation(
  { summary, query, body, status, response }: Operation,
  path: string,
  operationId: string,
  components: Record<string, unknown>,
) {
  const content = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: jsonSchema(schema, io, components) },
  })
  const parameters = [...inPath(path), ...(query ? inQuery(query, components) : [])]
  return {
    operationId,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: content(body, 'input') } }),
    responses: {
      [status]: {
        description: status === 204 ? 'done' : 'as asked for',
        ...(response && { content: content(response, 'output') }),
      },
      default: { description: 'refused', content: content(error, 'output') },
    },
  }
}

function inPath(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function inQuery(query: z.ZodObject, components: Record<string, unknown>) {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: jsonSchema(schema, 'output', components),
  }))
}

/** A JSON Schema (2020-12, as OpenAPI 3.1 has it) whose named parts are components. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, unknown>,
): unknown {
  const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io })
  for (const [name, definition] of Object.entries($defs)) {
    components[name] = relocated(definition)
  }
  return relocated(own)
}

/** The same schema with its references pointing to the components of the document. */
function relocated(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
