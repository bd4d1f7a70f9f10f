/** Structured log lines: which event, which call, which outcome, and nothing that could be a secret. */

export interface LogEntry {
  readonly event:
    | 'call-accepted'
    | 'call-cancelled'
    | 'authorization-requested'
    | 'authorization-answered'
    | 'callback-ignored'
    | 'delivered'
    | 'delivery-failed'
    | 'call-failed'
    | 'internal-error'
  /** The `id` of the invocation. */
  readonly id?: string
  /** A word out of a fixed vocabulary, never text that came from outside. */
  readonly outcome?: string
}

/** Writes one line of JSON to stderr; stdout carries the ready line only. */
export function log(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}
