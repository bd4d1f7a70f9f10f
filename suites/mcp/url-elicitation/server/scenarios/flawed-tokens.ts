import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import type { ConnectOptions } from '../../../server/connections.ts'
import type { Flaw } from '../../../server/flawed-tokens.ts'
import { senderKeys, type SenderKey } from '../../../server/sender-keys.ts'
import { connectionOf, sentChannel } from '../../../wire/link.ts'
import { check, citeAskings, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization } from '../conditions.ts'
import { callOf, callsOf } from '../view.ts'
import { control, scenario, type ServerScenario } from './define.ts'

const flaws: readonly (readonly [flaw: Flaw, what: string])[] = [
  ['other-audience', 'is for another resource'],
  ['similar-audience', 'is for resources whose names begin alike'],
  ['no-audience', 'does not say what it is for'],
  ['other-issuer', 'comes from another issuer'],
  ['other-tenant', 'comes from another issuer with the same keys'],
  ['key-by-url', 'is signed by a key that its header says where to find'],
  ['expired', 'has expired'],
  ['altered', 'has been altered'],
  ['unsigned', 'has no signature'],
]

/** Tokens that anybody can make: their claims are right, and their header says how they are to be verified. */
const bySender: readonly (readonly [key: SenderKey, what: string])[] = [
  ['public-key', 'is sealed with the public key of the issuer as a secret'],
  ['key-in-header', 'is signed by a key that stands in its header, as it is or in a certificate'],
]

/** Tokens that are right but for one thing; where there are forms of it, one after the other. */
export const flawedTokenScenarios = [
  ...flaws.map(([flaw, what]) => withTokens(flaw, what, [flaw])),
  ...bySender.map(([key, what]) => withTokens(`by-${key}`, what, senderKeys[key])),
]

function withTokens(
  id: string,
  what: string,
  tokens: readonly NonNullable<ConnectOptions['flaw']>[],
): ServerScenario {
  return scenario({
    id: `token-${id}`,
    title: `the access token of a client ${what}`,
    control,
    notApplicable: needsAuthorization,
    async drive({ connect, begin, user, observe }) {
      for (const flaw of tokens) {
        if (!(await connect(user, { flaw }))) continue
        await begin(user, { flaw })
          .awaitUrl()
          .catch(() => undefined)
        await observe()
      }
    },
    checks: [
      check(
        'mcp-url-elicitation/server/validate-tokens',
        `refuses a token that ${what}`,
        refusesToken(what),
      ),
    ],
  })
}

/** `right` is a call with a token that has no flaw. */
export function refusesToken(what: string, right?: string): Judge {
  return (t, { control: undisturbed }) => {
    const accepted = undisturbed && (servedEnd(undisturbed) ?? callOf(undisturbed).askings[0])
    if (!accepted)
      return inconclusive('even with a valid token the user was neither served nor asked')
    const calls = callsOf(t).filter(({ name }) => name !== right)
    const asked = calls.flatMap(({ askings }) => askings)[0]
    const expected = 'HTTP 401'
    if (asked) {
      const actual = 'its user is asked, as with a valid token'
      return violation(
        `a token that ${what} was accepted`,
        { expected, actual },
        citeAskings(asked),
      )
    }
    const served = calls.flatMap(({ ended }) => ended).find(({ error }) => !error)
    if (served) {
      const actual = show(served.text)
      return violation(
        `a token that ${what} was accepted`,
        { expected, actual },
        cite(served.event),
      )
    }
    const connections = new Set(t.requests(sentChannel).map(connectionOf))
    if (right !== undefined) connections.delete(callOf(t, right).connection)
    const refusals = [...connections].map((connection) => refusalOn(t, connection))
    if (refusals.length === 0 || refusals.includes(undefined))
      return inconclusive('the request with the token was not answered')
    return pass('it was refused', cite(...refusals))
  }
}

/** How the token of a connection was refused: by HTTP, or by the end of the call. */
function refusalOn(t: Transcript, connection: string): RecordedEvent | undefined {
  const [ended] = callsOf(t)
    .filter((call) => call.connection === connection)
    .flatMap((call) => call.ended)
  return (
    t
      .requests(sentChannel)
      .filter((request) => connectionOf(request) === connection)
      .map((request) => t.answer(request))
      .find((answer) => answer?.type === 'response' && answer.status >= 400) ?? ended?.event
  )
}
