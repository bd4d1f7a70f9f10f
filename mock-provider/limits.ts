/** What the provider keeps at most, in one place. Beyond a limit the oldest entries are forgotten. */

export const limits = {
  /** Characters of all recorded events together. */
  eventCharacters: 64 * 1024 * 1024,
  secrets: 100_000,
  clients: 10_000,
  authorizations: 20_000,
  tokens: 100_000,
  pushedRequests: 10_000,
  /** Assertions and proofs that are remembered against replay. */
  replays: 100_000,
  /** Subjects whose items are kept. */
  subjects: 10_000,
  itemsPerSubject: 1_000,
} as const
