/** The part of a configuration that every profile shares; a profile extends it with what it declares. */

import { z } from 'zod'
import { baseSchema } from '../engine/configuration.ts'
import { providerSchema, type ProviderConfiguration } from './provider-settings.ts'
import { targetSchema } from './target-settings.ts'

const { $schema, profile, implementation, timing, strict } = baseSchema.shape

/** What a profile whose implementation meets the mock provider extends. */
export const commonSchema = z.strictObject({
  $schema,
  profile,
  implementation,
  target: targetSchema,
  provider: providerSchema.prefault({}),
  timing,
  strict,
})

/** A profile whose implementations meet no OAuth provider leaves `provider` out. */
export type CommonConfiguration = Omit<z.infer<typeof commonSchema>, 'provider'> & {
  readonly provider?: ProviderConfiguration
}

/** Declared by whoever writes logs beside its output. */
export const logFiles = z
  .array(z.string())
  .optional()
  .describe('Log files that it writes, beside its output.')
  .meta({
    flag: '--log-file <path>',
    reads: 'paths',
    help: 'log file that it writes; repeatable',
    example: ['./server.log'],
  })

/** Where the scripted model listens, for who is configured with its address. */
export const modelListens = z
  .strictObject({
    model: z
      .number()
      .int()
      .min(0)
      .max(65535)
      .default(0)
      .describe('Port of the scripted model; 0 takes a free one.'),
  })
  .prefault({})
