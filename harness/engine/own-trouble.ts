/** What this machine lacks: never the fault of an implementation. */

const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of this machine is full',
  EDQUOT: 'the disk quota of this user is used up',
  EMFILE: 'this process may not open as many files and connections as it needs (see: ulimit -n)',
  ENFILE: 'this machine has too many open files',
  EADDRNOTAVAIL: 'this machine has no loopback address, or no free port, to connect from',
}

/** What is lacking, in a sentence; `undefined` for an error with another cause. */
export function ownTrouble(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && Object.hasOwn(sentences, code)
    ? `${sentences[code]} (${code})`
    : undefined
}
