/** Writes and reads a stored transcript; one that was cut, reordered or is of another version is refused. */

import { eventSchema, transcriptVersion, type Event } from './event.ts'
import { Transcript } from './transcript.ts'

/** A stored transcript that cannot be trusted to be what was recorded. */
export class TranscriptError extends Error {
  readonly code = 'invalid_transcript'
  constructor(message: string) {
    super(message)
    this.name = 'TranscriptError'
  }
}

/** A transcript as it is stored: a header, and a line for each event. */
export function storedForm(scenario: string, { events }: Transcript): string {
  const header = { transcript: transcriptVersion, scenario }
  const lines = [header, ...events.map((event) => ({ ...event, scenario: undefined }))]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * Parses the JSON Lines of one scenario: a header, events numbered without a gap, an `end` as the last.
 * @throws {@link TranscriptError} naming the line
 */
export function parseTranscript(content: string, scenario: string): Transcript {
  const lines = content.split('\n')
  if (lines.pop() !== '') throw new TranscriptError('it is cut: the last line has no end')
  const [header, ...rest] = lines.map(parseLine)
  requireHeader(header, scenario)
  const events = rest.map((value, index) => eventOf(value, index + 1))
  if (events.at(-1)?.type !== 'end') {
    throw new TranscriptError('it is cut: the last event is not the end of the scenario')
  }
  return new Transcript(events.map((event) => ({ ...event, scenario })))
}

function parseLine(text: string, index: number): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new TranscriptError(`line ${index + 1} is not JSON`)
  }
}

function requireHeader(header: unknown, scenario: string): void {
  const { transcript, scenario: found } = (header ?? {}) as Record<string, unknown>
  if (transcript !== transcriptVersion) {
    const shown = transcript === undefined ? 'none' : JSON.stringify(transcript)
    throw new TranscriptError(
      `transcript of version ${shown.slice(0, 40)}; this suite reads version ${transcriptVersion}`,
    )
  }
  if (found !== scenario) {
    const shown = JSON.stringify(found)?.slice(0, 80)
    throw new TranscriptError(`it is the recording of ${shown}, not of ${scenario}`)
  }
}

function eventOf(value: unknown, number: number): Event {
  const parsed = eventSchema.safeParse(value)
  const line = number + 1
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.join('.') || 'the event'
    throw new TranscriptError(`line ${line}: ${where}: ${issue?.message}`)
  }
  if (parsed.data.seq !== number) {
    throw new TranscriptError(`line ${line}: event ${parsed.data.seq} where ${number} is expected`)
  }
  return parsed.data
}
