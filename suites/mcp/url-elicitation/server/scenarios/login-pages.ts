import { notOffered } from '../../../../../harness/engine/index.ts'
import { escapes, isProbe, loginAnswers, markup } from '../../../../oauth-client/scenarios/index.ts'
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

/** The URLs that somebody is led to by an attacker: a value each that is markup, and a path that is. */
function withMarkup(url: string): readonly string[] {
  if (!URL.canParse(url)) return []
  const names = [...new Set(new URL(url).searchParams.keys())]
  const altered = names.map((name) => {
    const other = new URL(url)
    other.searchParams.set(name, markup)
    return other.href
  })
  const { origin, pathname } = new URL(url)
  return [...altered, `${origin}${pathname}/${encodeURIComponent(markup)}`]
}

export const linkPages = ofOauthClients(
  scenario({
    id: 'markup-in-link',
    title: 'the URL of an elicitation, whose parameters are replaced by markup',
    control,
    async drive({ begin, user }) {
      const call = begin(user)
      for (const redirect of withMarkup(await call.asked()))
        await user.follow({ call, authorization: '', redirect })
    },
    checks: [
      check('oauth-client/escape-pages', 'escapes what it prints of its own links', (t) =>
        t.requests('browser').some(isProbe)
          ? escapes(t, 1, isProbe)
          : notOffered('the URL leads to no page of the server'),
      ),
    ],
  }),
)
