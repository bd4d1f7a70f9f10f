/** What clients declared of elicitation: in the handshake, or with every request (2026-07-28). */

import { cite, inconclusive, pass, show, violation } from '../../../../harness/engine/index.ts'
import { clientFrames, type Frame } from '../../wire/frames.ts'
import { isRecord, membersOf } from '../../wire/values.ts'
import type { Judge } from './checks.ts'

/** The declaration in a message, where it is one that has to have it. */
function declarationIn({ message }: Frame): { readonly elicitation: unknown } | undefined {
  if (message.kind !== 'request') return undefined
  const params = membersOf(message.value['params'])
  if (message.method === 'initialize')
    return { elicitation: membersOf(params['capabilities'])['elicitation'] }
  const meta = membersOf(params['_meta'])
  const capabilities = meta['io.modelcontextprotocol/clientCapabilities']
  if (capabilities === undefined && !('io.modelcontextprotocol/protocolVersion' in meta))
    return undefined
  return { elicitation: membersOf(capabilities)['elicitation'] }
}

/** That elicitation is declared with a mode, the same on every occasion. */
export const declaresMode: Judge = (t) => {
  const declared = clientFrames(t).flatMap((frame) => {
    const declaration = declarationIn(frame)
    return declaration ? [{ ...declaration, frame }] : []
  })
  const withUrl = declared.find(({ elicitation }) => membersOf(elicitation)['url'] !== undefined)
  for (const { elicitation, frame } of declared) {
    const isNone = elicitation === undefined
    if (isNone ? withUrl !== undefined : !hasMode(elicitation)) {
      return violation(
        isNone
          ? 'elicitation is declared on some occasions, and missing on others'
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

/** An empty object stands for forms alone. */
function hasMode(elicitation: unknown): boolean {
  if (!isRecord(elicitation)) return false
  const modes = ['form', 'url'].filter((mode) => isRecord(elicitation[mode]))
  return modes.length > 0 || Object.keys(elicitation).length === 0
}
