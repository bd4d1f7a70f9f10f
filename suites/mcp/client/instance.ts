/** One running client under test, in whichever way it is made to act. */

import type { Starts } from '../../../harness/engine/index.ts'

/** What a user does with a prompt. */
export type Action = 'accept' | 'decline' | 'cancel'

/** A question to the user whether a URL is to be opened, as it was shown. */
export interface Shown {
  readonly id: string
  /** Everything that the user could read. */
  readonly text: string
  readonly url?: string | undefined
}

/** Characters that its user can still read; what is older has left the screen. */
export const screen = 64 * 1024

export interface ClientInstance {
  /** Has a tool called; resolves once the client knows. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<void>
  /** Answers a prompt as its user. */
  answer(prompt: string, action: Action): Promise<void>
  /**
   * What an answer is for: the prompt that it names; whichever the client waits for; or that, where it may as well have been
   * taken from the answer to another kind of question.
   */
  readonly answers: 'by-name' | 'in-turn' | 'among-approvals'
  /** Has its user say that they have finished, for a client that waits for that before it calls again. */
  readonly retry?: (() => Promise<void>) | undefined
  /** Ends its input, where it has one: whoever was asked is gone. */
  readonly endInput?: () => void
  /** Whether that was done: a client may end with it. */
  readonly inputEnded?: () => boolean
  /** What its user was shown since the last prompt. */
  shown(): string
  /** Has its user sign in at a server by hand, where there is a way. */
  readonly signIn?: (names: Readonly<Record<string, string>>) => Promise<void>
  /** Aborted when it has ended, with the reason. */
  readonly gone: AbortSignal
  stop(): Promise<void>
}

/** How a client is started, and who is told what its user sees. */
export interface StartParts {
  readonly starts: Starts
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds in which it has to end. */
  readonly stopWithin: number
  readonly onPrompt: (shown: Shown) => void
  /** It says that it opened a URL by itself. */
  readonly onOpened: (url: string) => void
  readonly onOutput: (source: string, text: string, bytes: number) => void
}
