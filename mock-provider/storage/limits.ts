/** What one issuer keeps at most, in one place. Beyond a limit the oldest entries are forgotten. */

/** What one issuer keeps at most. */
export interface Limits {
  /** Characters of all recorded events together. */
  readonly eventCharacters: number
  /** Secrets that the ledger remembers. */
  readonly secrets: number
  /** Clients that are part of an instance's configuration. */
  readonly clients: number
  /** Records of each collection in the memory storage. */
  readonly records: Readonly<Record<string, number>>
  /** Records of any other collection. */
  readonly otherRecords: number
  /** Characters of all records of one collection in the memory storage, as JSON. */
  readonly collectionCharacters: number
  /** Places where something is held back by a fault. */
  readonly gates: number
  /** Requests that faults hold back at a time; more are refused. */
  readonly held: number
  /** Subjects whose items are kept. */
  readonly subjects: number
  readonly itemsPerSubject: number
}

/** What one issuer keeps at most, unless its option `limits` says otherwise. */
export const limits: Limits = {
  eventCharacters: 16 * 1024 * 1024,
  secrets: 50_000,
  clients: 10_000,
  records: {
    clients: 10_000,
    authorizations: 20_000,
    codes: 20_000,
    tokens: 50_000,
    pushed: 10_000,
    registrations: 10_000,
    faults: 20_000,
    /** Assertions and proofs that are remembered against replay. */
    replays: 100_000,
  },
  otherRecords: 10_000,
  collectionCharacters: 64 * 1024 * 1024,
  gates: 20_000,
  held: 5_000,
  subjects: 1_000,
  itemsPerSubject: 100,
}

/** The same, each limit divided: for one of several issuers that share a process. */
export function shareOf(whole: Limits, parts: number): Limits {
  const part = (limit: number) => Math.max(1, Math.floor(limit / parts))
  const { records, ...others } = whole
  const divide = (each: object) =>
    Object.fromEntries(Object.entries(each).map(([name, limit]) => [name, part(Number(limit))]))
  return { ...whole, ...divide(others), records: divide(records) }
}
