/** What a configuration says of how a user speaks, and of surfaces that have an address. */

import { z } from 'zod'

/** A request that the harness sends; `{conversation}`, `{user}` and `{text}` are filled in. */
export const httpTemplate = z.strictObject({
  method: z.string().default('POST'),
  path: z.string().min(1),
  headers: z.record(z.string(), z.string()).default({}),
  body: z
    .unknown()
    .optional()
    .describe('JSON whose strings are filled in, or a text that is sent as it is.'),
})
/** How a user says something over HTTP. */
export type HttpTemplate = z.infer<typeof httpTemplate>

const stream = z.strictObject({
  path: z.string().min(1),
  headers: z.record(z.string(), z.string()).default({}),
})

/** What a configuration may say of them. */
export const watchedSurfaces = [
  z.strictObject({ poll: stream }),
  z.strictObject({ sse: stream }),
  z.strictObject({ websocket: stream }),
] as const
/** Where such a surface is. */
export type WatchedStream = z.infer<typeof stream>
