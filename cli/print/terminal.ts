/** What may be written to a stream: colour, width, and what happens when nobody reads any more. */

import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

/** A stream for people. */
export interface Terminal {
  /** Whether a line can be rewritten. */
  readonly live: boolean
  /** Columns to fill; bounded, because long lines are hard to read. */
  readonly width: number
  readonly columns: number
  readonly write: (text: string) => void
  readonly line: (text?: string) => void
  readonly style: (style: Style, text: string) => string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Looks at a stream and at NO_COLOR, FORCE_COLOR and TERM. */
export function terminalOf(stream: NodeJS.WriteStream, env: Environment = process.env): Terminal {
  const coloured = wantsColour(stream.isTTY, env)
  const columns = stream.columns || 100
  const write = (text: string): void => {
    if (!stream.destroyed) stream.write(text)
  }
  return {
    live: stream.isTTY && env['TERM'] !== 'dumb',
    width: Math.max(40, Math.min(columns, 110)),
    columns,
    write,
    line: (text = '') => write(`${text}\n`),
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** FORCE_COLOR wins over NO_COLOR, as in Node itself (https://no-color.org, https://force-color.org). */
export function wantsColour(isTerminal: boolean, env: Environment): boolean {
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false'
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false
  return isTerminal
}

/** A reader that went away (`| head`) is no error; the run goes on and its files are written. */
export function surviveClosedPipes(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    })
  }
}

/** Resolves once everything that was written has left this process, or cannot leave it any more. */
export async function flushed(streams: readonly NodeJS.WriteStream[]): Promise<void> {
  await Promise.all(
    streams.map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.destroyed || stream.writableLength === 0) resolve()
          else stream.write('', () => resolve())
        }),
    ),
  )
}

/** Breaks text at blanks; every line begins with `indent`, the first one with `head` instead. */
export function wrapped(text: string, width: number, indent = '', head = indent): string {
  const lines: string[] = []
  let line = head
  let empty = true
  for (const word of text.split(/\s+/)) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = indent
      empty = true
    }
    line += empty ? word : ` ${word}`
    empty = false
  }
  return [...lines, line].join('\n')
}

/** Rows with aligned columns; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.slice(0, -1).entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
    }
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
