/** Writes a recorded request as a `curl` line that is safe to paste into any POSIX shell. */

import {
  stimuliOf,
  type Diagram,
  type Evidence,
  type Recorded,
  type RecordedEvent,
  type RequestEvent,
} from '../../harness/engine/index.ts'
import { findEvent, type Transcripts } from './evidence.ts'

/** Longer bodies are not repeated on a command line. */
const longestBody = 4000
/** Set by curl itself, or without meaning outside their connection. */
const ownHeaders = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']

/** The request to repeat: the first stimulus of the call that the evidence is about, or another one that is cited. */
export function stimulusOf(
  evidence: readonly Evidence[],
  transcripts: Transcripts,
  diagram: Diagram,
): Recorded<RequestEvent> | undefined {
  const stimuli = stimuliOf(diagram)
  const cited = evidence
    .map((each) => findEvent(transcripts, each))
    .filter((event) => event !== undefined)
  const first = cited.map((event) => firstOf(event, stimuli[0], transcripts)).find(Boolean)
  return first ?? cited.map((event) => ownRequest(event, stimuli, transcripts)).find(Boolean)
}

function firstOf(event: RecordedEvent, channel: string | undefined, transcripts: Transcripts) {
  if (event.call === undefined || channel === undefined) return undefined
  return transcripts.get(event.scenario)?.requests(channel, event.call)[0]
}

function ownRequest(event: RecordedEvent, stimuli: readonly string[], transcripts: Transcripts) {
  if (event.type !== 'request' && event.type !== 'response' && event.type !== 'failure')
    return undefined
  if (!stimuli.includes(event.channel)) return undefined
  const requests = transcripts.get(event.scenario)?.requests(event.channel)
  return requests?.find((request) => request.exchange === event.exchange)
}

/** One line. Secrets stay the placeholders that they are in the transcript. */
export function curlLine(request: RequestEvent): string {
  const { method, url, headers, body } = request
  const named = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name.toLowerCase()))
  // --globoff: brackets and braces of the URL are meant literally.
  const parts = [
    'curl',
    '-sS',
    '-i',
    '--globoff',
    '-X',
    quoted(plain(method)),
    quoted(plainUrl(url)),
  ]
  for (const [name, value] of named) parts.push('-H', quoted(plain(`${name}: ${value}`)))
  if (!body || body.bytes === 0) return parts.join(' ')
  if (body.truncated || body.text.length > longestBody) {
    return `${[...parts, '--data-binary', '@body.bin'].join(' ')}  # body.bin: the ${body.bytes} bytes of event #${request.seq}`
  }
  if (isPlain(body.text)) return [...parts, '--data-raw', quoted(body.text)].join(' ')
  return `printf ${quoted(printfFormat(body.text))} | ${[...parts, '--data-binary', '@-'].join(' ')}`
}

/** Printable ASCII and the letters beyond it; no control, formatting or line separating characters. */
function isPlain(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text)
}

function plain(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
}

function plainUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (character) => {
    const bytes = [...Buffer.from(character)]
    return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  })
}

/** A format of POSIX printf that gives these bytes and shows no byte of its own to a terminal. */
function printfFormat(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      if (character === '%') return '%%'
      if (character === '\\') return '\\\\'
      return byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, '0')}`
    })
    .join('')
}

/** A word in single quotes (POSIX shell §2.2.2). */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
