/** The callback of the undisturbed flow, written otherwise: RFC 3986 §6.2.2 takes it for the same. */

import { check } from '../checks.ts'
import { needsCallDialect } from '../conditions.ts'
import { handoff } from '../handoff.ts'
import { control, scenario, type AgentScenario } from './define.ts'
import { judgesOf } from '../../../oauth-client/judges.ts'

const { exchangesCode } = judgesOf(handoff)

/** What may stand in a query as it is, and means nothing there. */
const plain = /%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

export function decoded(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return origin + pathname + search.replace(plain, (each) => decodeURIComponent(each))
}

export function encoded(url: string): string {
  const { origin, pathname, searchParams } = new URL(url)
  const spelt = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const parameters = [...searchParams].map(([name, value]) => `${name}=${spelt(value)}`)
  return `${origin}${pathname}?${parameters.join('&')}`
}

function written(id: string, title: string, write: (url: string) => string): AgentScenario {
  return scenario({
    id,
    title,
    control,
    notApplicable: needsCallDialect,
    async drive({ begin, user }) {
      const call = begin(user)
      const flow = await user.consent(call, { faults: ['authorize-code-reserved-characters'] })
      await user.follow(flow, write(flow.redirect))
      await call.ended()
    },
    checks: [check('oauth-client/exchange-code', 'exchanges its code', exchangesCode())],
  })
}

export const lawfulCallbacks = [
  written(
    'callback-decoded',
    'the application hands the callback on with nothing encoded that need not be',
    decoded,
  ),
  written(
    'callback-encoded',
    'the application hands the callback on with every character of its values encoded',
    encoded,
  ),
]
