import { escapes, isProbe, loginAnswers } from '../../../../oauth-client/scenarios/index.ts'
import { check } from '../checks.ts'
import { needsLogin, ofOauthClients } from '../conditions.ts'
import { control, scenario } from './define.ts'

/** Each login has a browser of its own. */
export const loginPages = ofOauthClients(
  scenario({
    id: 'markup-in-login-callback',
    title: 'answers to a login whose parameters contain markup',
    control,
    notApplicable: needsLogin,
    async drive({ newUser, beginLogin }) {
      for (const [decision, changes] of loginAnswers) {
        const user = newUser('login')
        const flow = await beginLogin(user, decision)
        await user.follow(flow, user.tampered(flow, changes))
      }
    },
    checks: [
      check('oauth-client/escape-pages', 'escapes what it prints of a login', (t) =>
        escapes(t, loginAnswers.length, isProbe),
      ),
    ],
  }),
)
