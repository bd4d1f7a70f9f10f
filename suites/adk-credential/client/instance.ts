/** One running client application, in whichever way its user is reached. */

import type { Recorder } from '../../../harness/engine/index.ts'

/** Whose conversation something is said in. */
export interface Talk {
  readonly conversation: string
  readonly user: string
}

export interface ClientInstance {
  /** Where it is served, without a trailing slash; nothing where it serves nothing that is known. */
  readonly url: string | undefined
  /** Its user says something; does not wait for what comes of it. */
  say(talk: Talk, text: string, recorder: Recorder, call: string): void
  /** Loads a callback in a browser that it has itself; absent where the harness does. */
  readonly visit?: (url: string) => Promise<void>
  /** Aborted when it has ended, with the reason. */
  readonly gone: AbortSignal
  stop(): Promise<void>
}

/** Who is told what the user sees. */
export interface ClientEvents {
  /** A text that a user reads; in which conversation, where that is known. */
  readonly onText: (source: string, text: string, conversation?: string) => void
  /** It opened a URL by itself. */
  readonly onOpened: (url: string) => void
  /** What it prints that is not for its user. */
  readonly onOutput: (source: string, text: string, bytes: number) => void
}
