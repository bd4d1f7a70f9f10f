/** A client that is used at a terminal: lines on its standard input, prompts on its output. */

import { Unreachable, withoutEscapes } from '../../../harness/engine/index.ts'
import { fill } from '../../../harness/parties/index.ts'
import { startTyped } from '../../../harness/parties/implementation/process.ts'
import { screen, type Action, type ClientInstance, type StartParts } from './instance.ts'
import { atTerminal, endOfInput, enter } from './pseudo-terminal.ts'
import { Readiness } from './readiness.ts'

/** What is typed at a terminal, without the ends of the lines, and what is printed there. */
export interface Terminal extends Readonly<Partial<Record<Action, string>>> {
  /** The line that calls a tool; `{arguments}` is a JSON object. */
  readonly call: string
  /** A text that it prints when it takes a command. */
  readonly ready?: string | undefined
  /** A text that it prints when, and only when, it waits for consent to open a URL. */
  readonly prompt?: string | undefined
  /** Whether it is to have a terminal; default: pipes. */
  readonly pty?: boolean | undefined
  /** What says that its user has finished, where it waits for that before it calls again. */
  readonly retry?: string | undefined
  /** The line by which its user signs in at a server. */
  readonly signIn?: string | undefined
  /** Where it asks for anything else first: a text of that question, and what is typed. */
  readonly approval?: { readonly text: string; readonly line: string } | undefined
}

/** Starts the client, which takes its first command within some milliseconds. @throws Unreachable */
export async function startTerminalClient(
  parts: StartParts,
  terminal: Terminal,
  readyWithin: number,
): Promise<ClientInstance> {
  const { command: program, cwd, env, stopWithin, onOutput } = parts
  const life = new AbortController()
  const readiness = new Readiness(terminal.ready ?? '')
  const reader = new PromptReader(terminal, {
    onPrompt: (id, text) => parts.onPrompt({ id, text }),
    onApproval: () => type(terminal.approval?.line ?? ''),
  })
  const options = {
    command: terminal.pty ? atTerminal(program) : program,
    cwd,
    env,
    onLine: onOutput,
    onText(text: string) {
      readiness.read(text)
      reader.read(text)
    },
  }
  const running = await startTyped(parts.starts, options, readyWithin).catch((error: unknown) => {
    const needs = terminal.pty ? '; a terminal (drive.terminal.pty) takes python3' : ''
    throw new Unreachable(`${(error as Error).message} (working directory ${cwd})${needs}`)
  })
  void running.exited.then((how) => life.abort(`the client ${how}`))
  const end = terminal.pty ? enter : '\n'
  let inputEnded = false
  const type = (line: string): void => {
    readiness.typed()
    running.write(line.replaceAll(/[\r\n]+/g, ' ') + end)
  }
  const command = async (line: string): Promise<void> => {
    await readiness.shown(readyWithin, life.signal)
    type(line)
  }
  return {
    gone: life.signal,
    shown: () => reader.rest,
    call: (tool, args) => command(fill(terminal.call, { tool, arguments: JSON.stringify(args) })),
    answer(_, action) {
      const line = terminal[action] ?? ''
      if (isKey(line)) running.write(line)
      else type(line)
      return Promise.resolve()
    },
    answers: terminal.approval ? 'among-approvals' : 'in-turn',
    retry: retryBy(terminal.retry, type),
    inputEnded: () => inputEnded,
    endInput() {
      inputEnded = true
      if (terminal.pty) running.write(endOfInput)
      else running.endInput()
    },
    async signIn(names) {
      if (terminal.signIn !== undefined) await command(fill(terminal.signIn, names))
    },
    stop: () => running.stop(stopWithin),
  }
}

function retryBy(line: string | undefined, type: (line: string) => void) {
  if (line === undefined) return undefined
  return (): Promise<void> => {
    type(line)
    return Promise.resolve()
  }
}

/** A key that is no part of a line, such as Escape: with Enter after it, it is another one. */
const isKey = (line: string): boolean => /^\p{Cc}$/u.test(line)

interface PromptEvents {
  readonly onPrompt: (id: string, text: string) => void
  readonly onApproval: () => void
}

/** Finds prompts in what is printed; each has all that was printed since the one before it. */
export class PromptReader {
  readonly #terminal: Pick<Terminal, 'prompt' | 'approval'>
  readonly #events: PromptEvents
  #shown = ''
  #prompts = 0

  constructor(terminal: Pick<Terminal, 'prompt' | 'approval'>, events: PromptEvents) {
    this.#terminal = terminal
    this.#events = events
  }

  /** What was printed since the last prompt. */
  get rest(): string {
    return withoutEscapes(this.#shown)
  }

  read(text: string): void {
    this.#shown = (this.#shown + text).slice(-screen)
    while (this.#approve() || this.#prompt());
  }

  #approve(): boolean {
    const { approval, prompt } = this.#terminal
    const before = approval && this.#upTo(approval.text)
    if (before === undefined || (prompt !== undefined && before.includes(prompt))) return false
    this.#take(before)
    this.#events.onApproval()
    return true
  }

  #prompt(): boolean {
    const { prompt } = this.#terminal
    const text = prompt === undefined ? undefined : this.#upTo(prompt)
    if (text === undefined) return false
    this.#take(text)
    this.#prompts += 1
    this.#events.onPrompt(`prompt-${this.#prompts}`, withoutEscapes(text))
    return true
  }

  #take(text: string): void {
    this.#shown = this.#shown.slice(text.length)
  }

  /** What is shown up to the end of a text, where that is there. */
  #upTo(text: string): string | undefined {
    const at = this.#shown.indexOf(text)
    return at < 0 ? undefined : this.#shown.slice(0, at + text.length)
  }
}
