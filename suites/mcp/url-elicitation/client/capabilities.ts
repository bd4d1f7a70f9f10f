/** What clients declared of elicitation: in the handshake, or with every request (2026-07-28). */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import { clientFrames, type Frame } from '../../wire/frames.ts'
import { isRecord, membersOf } from '../../wire/values.ts'
import type { Judge } from './checks.ts'

interface Declaration {
  readonly elicitation: unknown
  /** Whether nothing else says what the client can do when it calls a tool. */
  readonly alone: boolean
  readonly frame: Frame
}

/** The declaration in a message, where it is one that has one. */
function declarationsIn(frame: Frame): Declaration[] {
  const { message } = frame
  if (message.kind !== 'request') return []
  const params = membersOf(message.value['params'])
  if (message.method === 'initialize') {
    const { elicitation } = membersOf(params['capabilities'])
    return [{ elicitation, alone: false, frame }]
  }
  const meta = membersOf(params['_meta'])
  // What only 2026-07-28 has shows the revision where the envelope is missing.
  const isModern = ['inputResponses', 'requestState'].some((name) => name in params)
  if (!('io.modelcontextprotocol/protocolVersion' in meta) && !isModern) return []
  const { elicitation } = membersOf(meta['io.modelcontextprotocol/clientCapabilities'])
  return [{ elicitation, alone: message.method === 'tools/call', frame }]
}

/**
 * That elicitation is declared with a mode, and without a handshake whenever a tool is called. A connection for which it is
 * not declared, such as a probe, is one on which it is not supported.
 */
export const declaresMode: Judge = (t) => {
  const declared = clientFrames(t).flatMap(declarationsIn)
  const withUrl = declared.find(({ elicitation }) => membersOf(elicitation)['url'] !== undefined)
  const calls = declared.filter(({ alone }) => alone)
  const ofCalls = calls.some(({ elicitation }) => elicitation !== undefined)
  for (const { elicitation, alone, frame } of declared) {
    const isMissing = elicitation === undefined
    if (isMissing ? alone && ofCalls : !hasMode(elicitation)) {
      return violation(
        isMissing
          ? 'elicitation is declared with some calls, and missing in others'
          : 'elicitation is declared without any mode that there is',
        { expected: '{"form": {}}, {"url": {}}, both, or {} for forms', actual: show(elicitation) },
        cite(withUrl?.frame.event, frame.event),
      )
    }
  }
  if (withUrl) return pass('URL mode is declared', cite(withUrl.frame.event))
  if (declared.length === 0) return inconclusive('no client has said what it can do')
  return inconclusive(
    'the client does not declare elicitation in URL mode',
    cite(declared[0]?.frame.event),
  )
}

/** Whether the client has said anywhere that it knows elicitation. */
export function knowsElicitation(t: Transcript): boolean {
  return clientFrames(t)
    .flatMap(declarationsIn)
    .some(({ elicitation }) => elicitation !== undefined)
}

/** A mode that this declaration does not have: one that there is not, where it has forms, by name or by being empty. */
export function undeclaredBy(elicitation: unknown): 'form' | 'hologram' {
  const { form, url } = membersOf(elicitation)
  return form !== undefined || url === undefined ? 'hologram' : 'form'
}

/** An empty object stands for forms alone. */
function hasMode(elicitation: unknown): boolean {
  if (!isRecord(elicitation)) return false
  const modes = ['form', 'url'].filter((mode) => isRecord(elicitation[mode]))
  return modes.length > 0 || Object.keys(elicitation).length === 0
}
