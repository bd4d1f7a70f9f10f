/** What a client is asked for although it did not declare that it can do it. */

import { cite, show, violation, type Judgement } from '../../../../../harness/engine/index.ts'
import type { Frame } from '../../../wire/frames.ts'
import type { Message } from '../../../wire/json-rpc.ts'
import type { Capabilities } from '../../../wire/revisions.ts'
import { isRecord, membersOf } from '../../../wire/values.ts'
import { bringsUrl, elicitationsIn, inputRequestsIn } from '../../elicitation.ts'

/** Requests of other kinds, and the capabilities that they take. */
const capabilityFor: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** That one of these messages asks for what was not declared. */
export function asksUndeclared(
  frames: readonly Frame[],
  capabilities: Capabilities,
): Judgement | undefined {
  for (const { event, message } of frames) {
    const actual = undeclaredIn(message, capabilities)
    if (actual === undefined) continue
    const expected = `nothing but what it declared: ${show(capabilities)}`
    const what = 'a client was asked for what it did not declare'
    return violation(what, { expected, actual }, cite(event))
  }
  return undefined
}

/** What a message asks for that these capabilities do not hold, in words; `undefined` where there is nothing of the kind. */
function undeclaredIn(message: Message, capabilities: Capabilities): string | undefined {
  const modes = modesOf(capabilities)
  const wrong = elicitationsIn(message).find((each) => !modes.includes(modeOf(each)))
  if (wrong) return `an elicitation in ${modeOf(wrong)} mode, by ${wrong.how}`
  const requests = message.kind === 'result' ? inputRequestsIn(message.result) : undefined
  return Object.values(requests ?? {})
    .map((request) => String(membersOf(request)['method']))
    .find((method) => {
      const needed = capabilityFor[method]
      return needed !== undefined && capabilities[needed] === undefined
    })
}

type Mode = 'form' | 'url'

function modeOf(elicitation: Parameters<typeof bringsUrl>[0]): Mode {
  return bringsUrl(elicitation) ? 'url' : 'form'
}

/** An empty object stands for forms alone. */
function modesOf({ elicitation }: Capabilities): readonly Mode[] {
  if (!isRecord(elicitation)) return []
  const named = (['form', 'url'] as const).filter((mode) => elicitation[mode] !== undefined)
  return named.length > 0 ? named : ['form']
}
