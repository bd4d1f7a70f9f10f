/** What the provider keeps at most, in one place. Beyond a limit the oldest entries are forgotten. */

export const limits = {
  /** Characters of all recorded events together. */
  eventCharacters: 64 * 1024 * 1024,
  secrets: 100_000,
  /** Clients that are part of an instance's configuration. */
  clients: 10_000,
  /** Records of each collection in the memory storage. */
  records: {
    clients: 10_000,
    authorizations: 20_000,
    codes: 20_000,
    tokens: 100_000,
    pushed: 10_000,
    registrations: 10_000,
    faults: 20_000,
    /** Assertions and proofs that are remembered against replay. */
    replays: 100_000,
  },
  /** Records of any other collection. */
  otherRecords: 10_000,
  /** Places where something is held back by a fault. */
  gates: 20_000,
  /** Subjects whose items are kept. */
  subjects: 10_000,
  itemsPerSubject: 1_000,
} as const
