/** Structured log lines: which event, which outcome, and nothing that could be a secret. */

export interface LogEntry {
  readonly event: 'asked' | 'call-ended' | 'internal-error'
  /** A word out of a fixed vocabulary, never text that came from outside. */
  readonly outcome?: string
}

export function log(entry: LogEntry): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}
