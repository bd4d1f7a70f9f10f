/** What is kept of a token response, and whether it is still worth using. */

import { z } from 'zod'

export const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  /** Milliseconds since the epoch; null when the provider did not say (RFC 6749 §5.1). */
  expiresAt: z.number().nullable(),
  scopes: z.array(z.string()),
})

export type Tokens = z.infer<typeof tokensSchema>

export function isExpired(tokens: Tokens, now: number): boolean {
  return tokens.expiresAt !== null && now >= tokens.expiresAt
}
