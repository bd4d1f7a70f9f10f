/** What is read of a server, or of a client, at most; `docs/architecture.md` repeats it. */

export const wireLimits = {
  /** Characters of one message; a longer one is cut, and is none. */
  message: 1024 * 1024,
  /** Messages of one connection; those after it are dropped. */
  messages: 2000,
  /** Lines that a process prints, those of its log included; the rest is dropped. */
  lines: 20_000,
  /** Bytes of one stream; it is ended there. */
  stream: 16 * 1024 * 1024,
  /** Times that one stream is opened again where it ends; then it is left. */
  resumptions: 200,
  /** Times that one request is sent again that was too many; then the refusal counts. */
  deferrals: 12,
  /** Connections that clients begin with one server; no more are taken. */
  connections: 50,
  /** Refusals of what belongs to no connection; no more are recorded. */
  refusals: 20,
  /** Notifications that wait for a stream of a client; no more are kept. */
  unsent: 100,
} as const
