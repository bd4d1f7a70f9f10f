/**
 * What the package promises to those who compile against it: `npm run types` fails when an export loses its type.
 * Imported by the package's own name, so that the subpaths of `exports` are part of the promise.
 */

import { expectTypeOf } from 'vitest'
import {
  exitCodes,
  judgeRecorded,
  profiles,
  type AnyProfile,
  type Check,
  type Finding,
  type Keyword,
  type Requirement,
  type Transcript,
  type Verdict,
} from 'agent-oauth-conformance'
import * as harness from 'agent-oauth-conformance/harness'
import {
  createMemoryStorage,
  createMockProvider,
  faults,
  isFaultId,
  serveMockProvider,
  type Clock,
  type FaultId,
  type FaultScope,
  type IssuerHandle,
  type MockProvider,
  type MockProviderOptions,
  type PresetName,
  type RunningProvider,
  type Storage,
} from 'agent-oauth-conformance/mock-provider'
import { createMockIssuers, type MockIssuers } from 'agent-oauth-conformance/mock-provider/msw'
import {
  readResults,
  runRecordSchema,
  verifyBundle,
  type RunRecord,
  type Verified,
} from 'agent-oauth-conformance/reports'
import { conformance } from 'agent-oauth-conformance/vitest'
import type { HttpHandler } from 'msw'

/* For a vendor's own vitest file. */
expectTypeOf(conformance).returns.toBeVoid()
expectTypeOf(conformance).parameter(0).toBeString()
expectTypeOf(conformance).parameter(1).toEqualTypeOf<Readonly<Record<string, unknown>>>()
expectTypeOf(conformance).parameter(2).toEqualTypeOf<
  | {
      readonly base?: string
      readonly directory?: string
      readonly timeout?: number
    }
  | undefined
>()

/* The core. */
expectTypeOf(profiles).toEqualTypeOf<readonly AnyProfile[]>()
expectTypeOf<Verdict>().toEqualTypeOf<
  'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-offered' | 'not-applicable'
>()
expectTypeOf<Keyword>().toEqualTypeOf<'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY'>()
expectTypeOf<Finding['verdict']>().toEqualTypeOf<Verdict>()
expectTypeOf<Requirement['id']>().toBeString()
expectTypeOf(exitCodes).toExtend<Readonly<Record<string, number>>>()
expectTypeOf(exitCodes.nonConformant).toEqualTypeOf<1>()
expectTypeOf(judgeRecorded).returns.toEqualTypeOf<Finding[]>()
// The root has everything that the harness has.
expectTypeOf<typeof import('agent-oauth-conformance')>().toExtend<typeof harness>()

// A check is synchronous: who judges a recording has nothing to wait for.
expectTypeOf<Check['judge']>().parameter(0).toEqualTypeOf<Transcript>()
expectTypeOf<Promise<never>>().not.toExtend<ReturnType<Check['judge']>>()

/* The mock provider. */
expectTypeOf(createMockProvider).parameter(0).toEqualTypeOf<MockProviderOptions | undefined>()
expectTypeOf(createMockProvider).returns.toEqualTypeOf<MockProvider>()
expectTypeOf<MockProvider>().toExtend<IssuerHandle>()
expectTypeOf(serveMockProvider).returns.resolves.toEqualTypeOf<RunningProvider>()
expectTypeOf(createMemoryStorage).returns.toExtend<Storage>()
// Ids are literals, so that a misspelt one does not compile.
expectTypeOf<'token-error-503'>().toExtend<FaultId>()
expectTypeOf<string>().not.toExtend<FaultId>()
expectTypeOf(faults).toHaveProperty('token-error-503')
expectTypeOf(isFaultId).guards.toEqualTypeOf<FaultId>()
expectTypeOf<string>().not.toExtend<PresetName>()
expectTypeOf<'client:app'>().toExtend<FaultScope>()
expectTypeOf<'app'>().not.toExtend<FaultScope>()
expectTypeOf<{ now(): number }>().toExtend<Clock>()
// Undefined stands for the default under `exactOptionalPropertyTypes` too.
expectTypeOf<{ issuer: undefined; seed: undefined }>().toExtend<MockProviderOptions>()

expectTypeOf(createMockIssuers).returns.toEqualTypeOf<MockIssuers>()
expectTypeOf<MockIssuers['handlers']>().toEqualTypeOf<readonly HttpHandler[]>()
expectTypeOf(createMockIssuers).parameter(0).toHaveProperty('answerFor')
expectTypeOf(createMockIssuers).parameter(0).not.toHaveProperty('issuer')

/* Reports. */
expectTypeOf(readResults).returns.toEqualTypeOf<RunRecord>()
expectTypeOf<ReturnType<typeof runRecordSchema.parse>>().toEqualTypeOf<RunRecord>()
expectTypeOf(verifyBundle).returns.resolves.toEqualTypeOf<Verified>()
expectTypeOf<RunRecord['verdict']>().toEqualTypeOf<
  'conformant' | 'non-conformant' | 'inconclusive'
>()
