/** What is kept of a runtime's output and log files: however much it writes, what names an authorization URL is among it. */

import { tokensIn } from './attribution.ts'

/** Lines that are recorded of one log file. */
export const logLines = 2000

/** Lines that name a URL and are kept of a source that writes more than is recorded. */
const naming = 100

function namesUrl(line: string): boolean {
  return tokensIn(line).some((token) => token.startsWith('url-'))
}

/** The lines of a log file that are recorded: those that name a URL first. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').filter(Boolean)
  const telling = lines.filter(namesUrl).slice(0, naming)
  return [...telling, ...lines.filter((line) => !namesUrl(line))].slice(0, logLines)
}

/** A line of output, and whose it is. */
export interface PrintedLine {
  readonly source: string
  readonly text: string
}

/** Remembers what names a URL, for the time when the recording of all that is printed is full. */
export class PrintedUrls {
  readonly lines: PrintedLine[] = []

  take(line: PrintedLine): void {
    if (this.lines.length < naming && namesUrl(line.text)) this.lines.push(line)
  }
}
