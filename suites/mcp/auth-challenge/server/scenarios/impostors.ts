import { isAfter, type Recordings } from '../../../../../harness/engine/index.ts'
import { impostures, leavesImpostor } from '../../../../oauth-client/impostor.ts'
import { needsOwnInstance } from '../../../../oauth-client/scenarios/needs.ts'
import { check, control, scenario, type Judge } from './define.ts'

/** Who has fetched the keys when it started has nothing to ask. */
const asksDuringCalls = {
  what: 'keys that are fetched, or tokens that are asked about, during a call',
  seen: (run: Recordings) =>
    [...run.values()].flatMap((t) => {
      const [impostor] = t.steps('impostor')
      return t.steps('connection-unused').filter((step) => isAfter(step, impostor))
    })[0],
}

const asksNobodyElse: Judge = (t) =>
  leavesImpostor(
    t,
    () => true,
    "the authorization server's certificate was not checked: whoever is in between can hand out keys of their own, and call any token valid",
  )

/** In place of the authorization server, while a token is to be verified. */
export const impostorScenarios = impostures.map(([imposture, what]) =>
  scenario({
    id: `issuer-certificate-of-${imposture}`,
    title: `tokens are to be verified, and the authorization server presents a certificate ${what}`,
    control,
    ownInstance: true,
    notApplicable: needsOwnInstance,
    needs: asksDuringCalls,
    async drive({ ownInstance }) {
      const { call, follow, unseenTokens, impostor, needsImpostorLeft } = await ownInstance([])
      const tokens = await unseenTokens(await follow(await call()))
      const takeOver = await impostor(imposture)
      takeOver()
      for (const token of tokens) await call({ token })
      await needsImpostorLeft()
    },
    checks: [
      check(
        'mcp-auth-challenge/server/verify-issuer-certificate',
        'asks nobody whose certificate is not that of its authorization server',
        asksNobodyElse,
      ),
    ],
  }),
)
