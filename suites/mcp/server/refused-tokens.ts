/** What is asked of requests with access tokens that are right but for one thing. */

import {
  cite,
  inconclusive,
  pass,
  show,
  violation,
  type Check,
  type RecordedEvent,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { connectionOf, sentChannel } from '../wire/link.ts'
import { textIn } from '../wire/values.ts'
import { flaws, formsOf, type Flaw } from './flawed-tokens.ts'
import { needsAuthorization } from './needs-authorization.ts'
import {
  knownBy,
  type ConnectedCall,
  type Judged,
  type TokenDeclared,
  type TokenDemand,
  type TokenScenario,
} from './token-demand.ts'

/** Where there are forms of a flaw, they come one after the other. */
export function flawedTokenScenarios<C extends ConnectedCall, D extends TokenDeclared>(
  demand: TokenDemand<C, D>,
): readonly TokenScenario<C, D>[] {
  const { rows, control, awaitAsking } = demand
  return Object.entries(flaws).map(([flaw, what]) => ({
    id: `token-${flaw}`,
    title: `the access token of a client ${what}`,
    control,
    notApplicable: needsAuthorization,
    async drive({ connect, begin, user, observe }) {
      for (const form of formsOf(flaw as Flaw)) {
        if (!(await connect(user, { flaw: form }))) continue
        await awaitAsking(begin(user, { flaw: form })).catch(() => undefined)
        await observe()
      }
    },
    checks: [
      {
        requirement: rows.valid,
        title: `refuses a token that ${what}`,
        judge: refusesToken(demand, what),
      },
    ],
  }))
}

/** `right` is a call with a token that has no flaw. */
export function refusesToken(judged: Judged, what: string, right?: string): Check['judge'] {
  const { callOf, callsOf } = judged
  return (t, { control: undisturbed }) => {
    if (!undisturbed || !knownBy(undisturbed, judged))
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
        cite(asked ? asked.frame.event : served?.event),
      )
    }
    const connections = new Set(t.requests(sentChannel).map(connectionOf))
    if (right !== undefined) connections.delete(callOf(t, right).connection)
    const refusals = [...connections].map((connection) => refusalOn(t, connection, judged))
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
function refusalOn(
  t: Transcript,
  connection: string,
  { callsOf }: Judged,
): RecordedEvent | undefined {
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
