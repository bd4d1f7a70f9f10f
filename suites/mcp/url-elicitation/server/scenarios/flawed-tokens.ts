import { cite, inconclusive, pass, show, violation } from '../../../../../harness/engine/index.ts'
import type { Flaw } from '../../../server/flawed-tokens.ts'
import { check, citeAskings, servedEnd, type Judge } from '../checks.ts'
import { needsAuthorization } from '../conditions.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

const flaws: readonly (readonly [flaw: Flaw, what: string])[] = [
  ['other-audience', 'is for another resource'],
  ['similar-audience', 'is for resources whose names begin alike'],
  ['no-audience', 'does not say what it is for'],
  ['expired', 'has expired'],
  ['altered', 'has been altered'],
  ['unsigned', 'has no signature'],
]

/** A token that is right but for one thing. */
export const flawedTokenScenarios = flaws.map(([flaw, what]) =>
  scenario({
    id: `token-${flaw}`,
    title: `the access token of a client ${what}`,
    control,
    notApplicable: needsAuthorization,
    async drive({ connect, begin, user, observe }) {
      if (!(await connect(user, { flaw }))) return
      const call = begin(user, { flaw })
      await call.awaitUrl().catch(() => undefined)
      await observe()
    },
    checks: [
      check(
        'mcp-url-elicitation/server/validate-tokens',
        `refuses a token that ${what}`,
        refusesToken(what),
      ),
    ],
  }),
)

function refusesToken(what: string): Judge {
  return (t, { control: undisturbed }) => {
    const accepted = undisturbed && (servedEnd(undisturbed) ?? callOf(undisturbed).askings[0])
    if (!accepted)
      return inconclusive('even with a valid token the user was neither served nor asked')
    const call = callOf(t)
    const [asked] = call.askings
    const expected = 'HTTP 401'
    if (asked) {
      const actual = 'its user is asked, as with a valid token'
      return violation(
        `a token that ${what} was accepted`,
        { expected, actual },
        citeAskings(asked),
      )
    }
    const [ended] = call.ended
    if (ended && !ended.error) {
      const actual = show(ended.text)
      return violation(`a token that ${what} was accepted`, { expected, actual }, cite(ended.event))
    }
    const refused = t
      .requests('mcp')
      .map((request) => t.answer(request))
      .find((answer) => answer?.type === 'response' && answer.status >= 400)
    if (!refused && !ended) return inconclusive('the request with the token was not answered')
    return pass('it was refused', cite(refused, ended?.event))
  }
}
