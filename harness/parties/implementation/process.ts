/** Runs an implementation as a process group of its own: no shell, output captured, nothing left behind. */

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Starts } from '../../engine/starts.ts'
import { leftRunning, runMark, type LeftRunning } from './left-running.ts'

export interface ProcessOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Keeps standard input open for {@link RunningProcess.write}; default: it is empty. */
  readonly input?: boolean
  /** Longest line and most lines that are handed on, as whole lines; default: pieces, and a bound of characters. */
  readonly limits?: LineLimits
  /** Called once when there is more than is handed on. */
  readonly onFlood?: () => void
  readonly onLine: (source: 'stdout' | 'stderr', line: string, bytes: number) => void
  /** Called with all output as it comes: who waits for input has not ended the line. */
  readonly onText?: (text: string) => void
}

/** Longest line in characters, and most lines. */
export interface LineLimits {
  readonly line: number
  readonly lines: number
}

export interface RunningProcess {
  readonly pid: number
  /** Resolves when the process has gone, with a sentence that says how. */
  readonly exited: Promise<string>
  readonly exit: string | undefined
  /** Resolves when it has printed anything, when it has gone, or after so many milliseconds. */
  spoken(within: number): Promise<void>
  /** Writes to standard input; nothing happens when that is closed. */
  write(text: string): void
  /** Ends standard input, as one does who closes a terminal. */
  endInput(): void
  /** Ends the whole group: SIGTERM, and SIGKILL after `within` milliseconds. */
  stop(within: number): Promise<void>
}

const ignore = (): void => undefined

/** Longest piece of a line that is handed on; a longer line comes in pieces that overlap. */
export const pieceLength = 16 * 1024
/** More than any secret in any encoding, so that none is hidden by the cut between two pieces. */
const overlap = 4 * 1024
/** Output of one process that is handed on, in characters; the rest is dropped. */
export const outputLimit = 64 * 1024 * 1024

const groups = new Set<number>()
/** Every group there was: what is still in one has been killed. */
const ended = new Set<number>()
let guarded = false

/** Starts the command. Rejects when it cannot be spawned, naming the command. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  killGroupsOnExit()
  const [file = '', ...args] = options.command
  const child = spawnNamed(file, args, {
    cwd: options.cwd,
    env: { ...options.env, [runMark.name]: runMark.value },
    stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
    shell: false,
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal ? `ended by ${signal}` : `exited with code ${code}`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      const why = missing ? 'there is no such program, or no such working directory' : error.message
      reject(new Error(`cannot start ${JSON.stringify(file)}: ${why}`))
    })
  })
  const pid = child.pid!
  groups.add(pid)
  if (options.limits) captureLines(child, options, options.limits)
  else capture(child, options)
  const outputs = [child.stdout!, child.stderr!]
  for (const each of outputs) each.on('data', options.onText ?? ignore)
  // A process that has closed its input, or has ended, is noticed by its exit.
  child.stdin?.on('error', () => undefined)
  const spoke = Promise.race([exited, ...outputs.map((each) => once(each, 'data'))]).catch(ignore)
  let exit: string | undefined
  void exited.then((how) => (exit = how))
  return {
    pid,
    exited,
    get exit() {
      return exit
    },
    async spoken(within) {
      const limit = new AbortController()
      const { signal } = limit
      const late = delay(within, undefined, { signal, ref: false }).catch(() => undefined)
      await Promise.race([spoke, late])
      limit.abort()
    },
    write(text) {
      if (child.stdin?.writable) child.stdin.write(text)
    },
    endInput() {
      child.stdin?.end()
    },
    async stop(within) {
      if (signalGroup(pid, 'SIGTERM')) {
        const late = setTimeout(() => signalGroup(pid, 'SIGKILL'), within)
        await exited
        clearTimeout(late)
      }
      // Whatever the leader left behind in its group goes too.
      signalGroup(pid, 'SIGKILL')
      groups.delete(pid)
      ended.add(pid)
    },
  }
}

/** Starts in its turn what is used by standard input, which has started when it prints anything, or after so many milliseconds. */
export function startTyped(
  starts: Starts,
  options: Omit<ProcessOptions, 'input'>,
  within: number,
): Promise<RunningProcess> {
  const settled = (each: RunningProcess): Promise<void> => each.spoken(within)
  return starts.inTurn(() => startProcess({ ...options, input: true }), { settled })
}

/** What was started here, left its group, and still runs though its group has ended. */
export function outlivers(): LeftRunning[] {
  return leftRunning(new Set([...groups, ...ended]))
}

/** Node refuses some commands by throwing; here too the message names the command. */
function spawnNamed(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(file, args, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot start ${JSON.stringify(file)}: ${reason}`, { cause: error })
  }
}

/** Whole lines, for a protocol: what exceeds the limits is not handed on. */
function captureLines(child: ChildProcess, options: ProcessOptions, limits: LineLimits): void {
  let lines = 0
  const read = (source: 'stdout' | 'stderr', stream: Readable | null): void => {
    let line = ''
    let bytes = 0
    const flush = (): void => {
      lines += 1
      if (lines <= limits.lines && bytes > 0) options.onLine(source, line, bytes)
      if (lines === limits.lines + 1) options.onFlood?.()
      line = ''
      bytes = 0
    }
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      for (const [index, part] of chunk.split('\n').entries()) {
        if (index > 0) flush()
        line += part.slice(0, limits.line - line.length)
        bytes += Buffer.byteLength(part)
      }
    })
    stream?.once('end', flush)
  }
  read('stdout', child.stdout)
  read('stderr', child.stderr)
}

function capture(child: ChildProcess, { onLine, onFlood }: ProcessOptions): void {
  let handedOn = 0
  const read = (source: 'stdout' | 'stderr', stream: Readable | null): void => {
    let line = ''
    const emit = (text: string): void => {
      const before = handedOn
      handedOn += text.length
      if (handedOn > outputLimit && before <= outputLimit) onFlood?.()
      if (text !== '' && handedOn <= outputLimit) onLine(source, text, Buffer.byteLength(text))
    }
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => {
      const parts = chunk.split('\n')
      for (const [index, part] of parts.entries()) {
        if (index > 0) {
          emit(line)
          line = ''
        }
        line += part
        for (; line.length > pieceLength; line = line.slice(pieceLength - overlap)) {
          emit(line.slice(0, pieceLength))
        }
      }
    })
    stream?.once('end', () => emit(line))
  }
  read('stdout', child.stdout)
  read('stderr', child.stderr)
}

/** Whether the group still existed. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch {
    return false
  }
}

/** The last resort: however this process ends, its groups end with it. */
function killGroupsOnExit(): void {
  if (guarded) return
  guarded = true
  process.once('exit', () => {
    for (const pid of groups) signalGroup(pid, 'SIGKILL')
  })
}
