/** What to do when the API refuses a token: the one place that decides, so that no call can loop. */

/** The refusals of RFC 6750 §3.1 that a new token can cure. */
export type Refusal = 'invalid_token' | 'insufficient_scope'

/** Where the refused token came from: the store, a refresh in this call, or a grant for this call. */
export type TokenOrigin = 'stored' | 'refreshed' | 'granted'

/** Each answer moves the origin forward (stored, refreshed, granted), and `granted` is the end. */
export function nextStep(refusal: Refusal, origin: TokenOrigin): 'refresh' | 'authorize' | 'fail' {
  if (origin === 'granted') return 'fail'
  if (refusal === 'invalid_token' && origin === 'stored') return 'refresh'
  return 'authorize'
}
