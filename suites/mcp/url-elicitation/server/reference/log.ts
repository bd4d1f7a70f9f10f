/** Structured log lines: which event, which outcome, and nothing that could be a secret. */

export interface LogEntry {
  readonly event:
    | 'access-refused'
    | 'elicitation-opened'
    | 'elicitation-ended'
    | 'browser-refused'
    | 'callback-ignored'
    | 'logged-in'
    | 'call-ended'
    | 'internal-error'
  /** The id of the elicitation. */
  readonly elicitation?: string
  /** A word out of a fixed vocabulary, never text that came from outside. */
  readonly outcome?: string
}

/** Writes one line of JSON to stderr; over stdio, stdout is the protocol's alone. */
export function log(entry: LogEntry): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}
