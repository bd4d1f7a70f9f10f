import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type RecordedEvent,
  type Transcript,
} from '../../../../../harness/engine/index.ts'
import { flaws, formsOf, type Flaw } from '../../../server/flawed-tokens.ts'
import { connectionOf, sentChannel } from '../../../wire/link.ts'
import { textIn } from '../../../wire/values.ts'
import { check, citeAskings, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization } from '../conditions.ts'
import { callOf, callsOf } from '../view.ts'
import { control, scenario, type ServerScenario } from './define.ts'

/** Tokens that are right but for one thing; where there are forms of it, one after the other. */
export const flawedTokenScenarios = Object.entries(flaws).map(([flaw, what]) =>
  withTokens(flaw as Flaw, what),
)

function withTokens(flaw: Flaw, what: string): ServerScenario {
  return scenario({
    id: `token-${flaw}`,
    title: `the access token of a client ${what}`,
    control,
    notApplicable: needsAuthorization,
    async drive({ connect, begin, user, observe }) {
      for (const form of formsOf(flaw)) {
        if (!(await connect(user, { flaw: form }))) continue
        await begin(user, { flaw: form })
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
    for (const call of calls) {
      const [asked] = call.askings
      const served = call.ended.find(({ error }) => !error)
      if (!asked && !served) continue
      return violation(
        `a token that ${what}${formOf(t, call.connection)} was accepted`,
        {
          expected: 'HTTP 401',
          actual: asked ? 'its user is asked, as with a valid token' : show(served?.text),
        },
        asked ? citeAskings(asked) : cite(served?.event),
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

/** In which form the token of a connection was made. */
function formOf(t: Transcript, connection: string | undefined): string {
  const made = t.steps('connect').find(({ detail }) => detail['connection'] === connection)
  const form = textIn(made?.detail['flaw'])
  return form === '' ? '' : ` (${form})`
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
