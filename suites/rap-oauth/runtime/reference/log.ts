/** Structured log lines: which event, which call, which outcome, and nothing that could be a secret. */

export interface LogEntry {
  readonly event:
    | 'call-made'
    | 'call-acknowledged'
    | 'call-undeliverable'
    | 'call-settled'
    | 'call-abandoned'
    | 'authorization-surfaced'
    | 'authorization-url-refused'
    | 'callback-discarded'
    | 'toolset-refused'
    | 'model-failed'
    | 'internal-error'
  /** The `id` of the invocation: made here, never taken from a message. */
  readonly id?: string
  /** A word out of a fixed vocabulary or a status, never text that came from outside. */
  readonly outcome?: string
}

/** Writes one line of JSON to stderr; stdout belongs to the ready line and the console user. */
export function log(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}
