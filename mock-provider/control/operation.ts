/** What an operation of the control API is: data from which its route and its description are made. */
import type { z } from 'zod'
import type { ProviderState } from '../provider/state.ts'
import type { Tenants } from '../provider/tenants.ts'

/** The issuer that is controlled. */
export interface Target {
  readonly state: ProviderState
  /** Those of the root issuer. */
  readonly tenants: Tenants | undefined
}

export interface Operation {
  /** Also the `operationId` of the OpenAPI document. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the prefix; parameters in braces. */
  readonly path: string
  readonly summary: string
  /** Concerns the root issuer only. */
  readonly rootOnly?: true
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The status and body of success; no body unless given. */
  readonly status: 200 | 201 | 204
  readonly response?: z.ZodType
  /** Acts and returns the body. @throws OAuthError, TypeError, RangeError for what cannot be done */
  readonly act: (target: Target, input: Input) => Promise<unknown>
}

export interface Input {
  readonly parameters: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** Declares an operation, with the types of what it takes. */
export function operation<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodObject = z.ZodObject,
>(
  declared: Omit<Operation, 'act' | 'body' | 'query'> & {
    readonly body?: Body
    readonly query?: Query
    readonly act: (
      target: Target,
      input: {
        readonly parameters: Readonly<Record<string, string>>
        readonly body: z.infer<Body>
        readonly query: z.infer<Query>
      },
    ) => Promise<unknown>
  },
): Operation {
  // what was parsed by a schema has the schema's type
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return declared as unknown as Operation
}
