/** Answers an invocation: at once, whatever the work behind it will take (RAP OAuth, Flow). */

import type { Context as Http } from 'hono'

/** Starts the work without waiting for it. `work` never rejects. */
export function acknowledge(http: Http, work: () => Promise<void>): Response | Promise<Response> {
  void work()
  return http.json({ accepted: true })
}
