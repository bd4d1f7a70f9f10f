/** What checks ask of a recording in the protocol's terms: what was said, how each run came to rest, what the API saw. */

import {
  isAfter,
  servedPath,
  perTranscript,
  type Moment,
  type ProviderRecord,
  type Recorded,
  type RequestEvent,
  type StepEvent,
  type Transcript,
} from '../../harness/engine/index.ts'
import type { HandedCall } from '../oauth-client/handed-call.ts'
import { isApi } from '../oauth-client/view.ts'

type Step = Recorded<StepEvent>
type Fields = Readonly<Record<string, unknown>>

/** A pause as it was recorded: handle and state are names there, not what they are. */
export interface Pause {
  readonly event: Step
  readonly handle: string
  readonly reason: unknown
  readonly payload: Fields
}

/** A message of a user, and everything that came of it and of what resumed it. */
export interface CallView extends HandedCall {
  readonly message: Step | undefined
  readonly resumes: readonly Step[]
  /** How runs came to rest, in their order: paused, finished, run-failed. */
  readonly outcomes: readonly Step[]
  readonly pauses: readonly Pause[]
  readonly toolRuns: readonly Step[]
  readonly modelAsked: readonly Step[]
  readonly modelCalled: readonly Step[]
  /** What became of callbacks with its state: stored or refused. */
  readonly callbacks: readonly Step[]
}

/** The call of that name; the first one by default. */
export function callOf(t: Transcript, name = 'call-1'): CallView {
  return read(t, name)
}

/** Every call of the transcript, in the order in which they began. */
export function callsOf(t: Transcript): CallView[] {
  return t.steps('begin').map(({ call }) => callOf(t, call))
}

/** How runs of a call came to rest. */
export function outcomesOf(t: Transcript, call: string): Step[] {
  return ['paused', 'finished', 'run-failed']
    .flatMap((action) => t.steps(action, call))
    .sort((a, b) => a.seq - b.seq)
}

/** How an outcome reads in a finding. */
export function outcomeIn({ action, detail }: Step): string {
  if (action === 'paused') return 'a pause'
  const { kind, message, text } = detail
  return action === 'finished' ? `an end: ${String(text)}` : `${String(kind)}: ${String(message)}`
}

const read = perTranscript(viewOf)

function viewOf(t: Transcript, name: string): CallView {
  const begun = t.steps('begin', name)[0]
  const outcomes = outcomesOf(t, name)
  const pauses = outcomes.filter(({ action }) => action === 'paused').map(pauseOf)
  const user = textIn(begun?.detail['user'])
  const conversation = textIn(begun?.detail['conversation'])
  const message = t.steps('message', name)[0]
  return {
    name,
    user,
    sentValues: { user, conversation },
    arguments: fieldsOf(begun?.detail['arguments']),
    // Everything is said to an adapter, which answers by what comes of it.
    request: message,
    ack: undefined,
    message,
    resumes: t.steps('resume', name),
    outcomes,
    pauses,
    toolRuns: t.steps('tool-run', name),
    modelAsked: t.steps('model-asked', name),
    modelCalled: t.steps('model-called', name),
    callbacks: t.steps('callback-taken', name),
    asked: pauses
      .filter(({ payload }) => asksForConsent(payload))
      .map(({ event, payload }) => ({ event, url: payload['auth_url'] })),
    ended: outcomes.filter(({ action }) => action !== 'paused').map(endOf),
    authorizationRequests: t.provider('authorization-request', name),
    grants: t.provider('grant', name),
    accesses: t.provider('resource-access', name),
    upstream: t.requests('provider', name),
  }
}

/** Requests to the API for the call, and those that carry nothing by which they could be told to belong to any. */
export function apiRequestsIn(t: Transcript): Recorded<RequestEvent>[] {
  return t.requests('provider').filter((request) => isApi(servedPath(request)))
}

/** What shows that a tool of the call ran since: requests to the API with its tokens, and runs that were reported. */
export function runsSince(
  { accesses, toolRuns }: CallView,
  since: Moment | undefined,
): (Step | Recorded<ProviderRecord>)[] {
  return [...accesses, ...toolRuns].filter((event) => isAfter(event, since))
}

/**
 * Whose data the model was given as results, by the names of the accounts at the provider. What it was given before it
 * was asked for the first time is of earlier runs in the same conversation: no tool of this one had run.
 */
export function subjectsTold({ modelAsked }: CallView): string[] {
  const [first, ...later] = modelAsked.map(toldIn)
  const known = first ?? []
  const told = later.flatMap((texts) => {
    const old = [...known]
    return texts.filter((text) => {
      const at = old.indexOf(text)
      if (at >= 0) old.splice(at, 1)
      return at < 0
    })
  })
  return [...new Set(told.flatMap((text) => text.match(/subject-of-[\w-]+/g) ?? []))]
}

/** The messages of a request to the model but those that it wrote itself. */
function toldIn({ detail }: Step): string[] {
  return listIn(detail['messages']).flatMap((each) => {
    const message = fieldsOf(each)
    return message['role'] === 'assistant' ? [] : [JSON.stringify(message)]
  })
}

/** Whether a pause is for a consent; others may be for an approval, or for anything else. */
export function asksForConsent(payload: Fields): boolean {
  return payload['pause_type'] === 'oauth' || payload['auth_url'] !== undefined
}

/** The state of a flow: its payload has it, or at least its URL. */
export function stateIn(payload: Fields): string | undefined {
  return textIn(payload['state']) ?? parameterIn(payload, 'state')
}

/** A parameter of the URL that a payload asks to open. */
export function parameterIn({ auth_url: url }: Fields, name: string): string | undefined {
  const known = typeof url === 'string' && URL.canParse(url) ? new URL(url).searchParams : undefined
  return known?.get(name) ?? undefined
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function pauseOf(event: Step): Pause {
  const { handle, reason, payload } = event.detail
  return { event, handle: String(handle), reason, payload: fieldsOf(payload) }
}

function endOf(event: Step) {
  const { text, kind, message } = event.detail
  const error = event.action === 'run-failed'
  return { event, error, text: error ? `${String(kind)}: ${String(message)}` : String(text) }
}
