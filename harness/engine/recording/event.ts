/** The events of a transcript: everything that was observed, in the order in which it was observed. */

import { z } from 'zod'

/** Version of the stored form; a reader refuses any other. */
export const transcriptVersion = 1

/** Where an exchange took place: a name that the profile declares, with who speaks to whom on it. */
const channel = z.string().regex(/^[a-z]+(-[a-z]+)*$/)
/** The name of a channel. */
export type Channel = z.infer<typeof channel>

/** A secret of the run that was seen in an event; the event itself holds only the secret's id. */
const sighting = z.object({
  id: z.string(),
  kind: z.string(),
  encoding: z.string(),
  /** Path of the string in which it was seen, for example `body.text` or `headers.location`. */
  at: z.string(),
})
/** A secret that was seen in an event. */
export type Sighting = z.infer<typeof sighting>

const body = z.object({
  text: z.string(),
  bytes: z.number(),
  truncated: z.literal(true).optional(),
  invalidUtf8: z.literal(true).optional(),
})
/** A body as it is recorded; `bytes` counts what was sent, `truncated` says that not all of it is kept. */
export type Body = z.infer<typeof body>

const headers = z.record(z.string(), z.string())

const base = {
  seq: z.number(),
  /** Milliseconds since the run began, on a monotonic clock. */
  t: z.number(),
  /** The invocation that it belongs to, where that is known: `call-1`, `call-2` ... */
  call: z.string().optional(),
  secrets: z.array(sighting).optional(),
}

const json = z.record(z.string(), z.unknown())

/** What the harness did or noticed. */
const step = z.object({ ...base, type: z.literal('step'), action: z.string(), detail: json })

const request = z.object({
  ...base,
  type: z.literal('request'),
  exchange: z.string(),
  channel,
  method: z.string(),
  url: z.string(),
  /** The path at which the mock provider serves the same, where the request came to a real provider's. */
  servedAt: z.string().optional(),
  headers,
  body: body.optional(),
})

const response = z.object({
  ...base,
  type: z.literal('response'),
  exchange: z.string(),
  channel,
  status: z.number(),
  /** The reason phrase of the status line, where it is not the usual one. */
  reason: z.string().optional(),
  headers,
  body: body.optional(),
})

/** An exchange that ended without an answer. */
const failure = z.object({
  ...base,
  type: z.literal('failure'),
  exchange: z.string(),
  channel,
  code: z.string(),
  message: z.string(),
})

/** What the provider understood or decided; `detail` is the provider's own log entry. */
const provider = z.object({
  ...base,
  type: z.literal('provider'),
  event: z.string(),
  exchange: z.string().optional(),
  authorization: z.string().optional(),
  detail: json,
})

/** A line that the implementation printed, or the content of a file that the vendor declared. */
const output = z.object({
  ...base,
  type: z.literal('output'),
  source: z.string(),
  text: z.string(),
  bytes: z.number(),
  /** When a file was last changed, in milliseconds since the run began. */
  modified: z.number().optional(),
})

/** What the user of a runtime was shown; `conversation` where the surface says whose it is. */
const surface = z.object({
  ...base,
  type: z.literal('surface'),
  source: z.string(),
  conversation: z.string().optional(),
  text: z.string(),
  /** All that stands there at once, what was seen before included. */
  whole: z.literal(true).optional(),
})

/**
 * How the driving of the scenario ended. `unreached` names what never came, `not-offered` what the stimulus needed;
 * whether that excuses anything, the judge finds out from the recordings of the whole run.
 */
const end = z.object({
  ...base,
  type: z.literal('end'),
  outcome: z.enum(['completed', 'unreached', 'not-offered', 'not-applicable', 'aborted', 'error']),
  reason: z.string().optional(),
})

/** An event of a transcript in its stored form. */
export const eventSchema = z.discriminatedUnion('type', [
  step,
  request,
  response,
  failure,
  provider,
  output,
  surface,
  end,
])

/** An event of a transcript; `type` tells which. */
export type Event = z.infer<typeof eventSchema>
/** What the harness did or noticed. */
export type StepEvent = z.infer<typeof step>
/** A request, by whoever sent it. */
export type RequestEvent = z.infer<typeof request>
/** The answer to the request with the same `exchange`. */
export type ResponseEvent = z.infer<typeof response>
/** An exchange that ended without an answer. */
export type FailureEvent = z.infer<typeof failure>
/** An entry of the provider's log. */
export type ProviderRecord = z.infer<typeof provider>
/** A line that the implementation printed, or a file that it wrote. */
export type OutputEvent = z.infer<typeof output>
/** What the user of a runtime was shown. */
export type SurfaceEvent = z.infer<typeof surface>
/** How the driving of a scenario ended. */
export type EndEvent = z.infer<typeof end>

/** An event together with the scenario in whose transcript it stands. */
export type RecordedEvent = Event & { readonly scenario: string }
/** An event of one type, with the scenario in whose transcript it stands. */
export type Recorded<E extends Event> = E & { readonly scenario: string }

/** An event before the recorder numbers, times and redacts it. */
export type NewEvent = Event extends infer E
  ? E extends Event
    ? Omit<E, 'seq' | 't' | 'secrets'>
    : never
  : never
