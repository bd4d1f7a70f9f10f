import { cite, inconclusive, pass, Unreached, violation } from '../../../../harness/index.ts'
import { textOf } from '../../messages.ts'
import { check } from '../checks.ts'
import type { Flow, User } from '../session.ts'
import { callOf, citeMessages, issuedGrant, unexplainedUse, isError } from '../view.ts'
import { scenario } from './define.ts'

/** Parameters of the authorization response itself (RFC 6749 §4.1.2, RFC 9207 §2). */
const responseParameters = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
])

/** Names under which careless tools look for an identity. */
const identityNames = ['user_id', 'userId', 'user', 'uid', 'sub', 'subject', 'login_hint']

/** The attacker's own redirect, rewritten so that everything but code and state points to the victim. */
function pointedAt(victim: User, attackers: Flow, victims: Flow): Record<string, string> {
  const own = new URL(attackers.redirect).searchParams
  const other = new URL(victims.redirect).searchParams
  const changes = Object.fromEntries(identityNames.map((name) => [name, victim.id]))
  for (const [name, value] of own) {
    if (responseParameters.has(name)) continue
    const theirs = other.get(name)
    changes[name] = theirs && theirs !== value ? theirs : victim.id
  }
  return changes
}

function unlessUnreached(error: unknown): void {
  if (!(error instanceof Unreached)) throw error
}

export const callbackIdentity = scenario({
  id: 'identity-in-callback',
  title: "an attacker's callback whose other parameters name a victim, who then calls",
  control: 'stored-token',
  async drive({ tool, user, newUser, observe, mark }) {
    const attacker = newUser('attacker')
    const attackers = tool.invoke({ as: attacker })
    const own = await attacker.consent(attackers)
    const victims = await user.consent(tool.invoke({ as: user }))
    const changes = pointedAt(user, own, victims)
    const visit = await attacker.follow(own, attacker.tampered(own, changes))
    // The tool may complete the attacker's call or refuse the callback; both are right. Where it may be completing it,
    // that is waited for: a late use of the token is no use for the victim.
    const refused = visit.ended === 'page' && visit.status >= 400
    if (!refused) await attackers.awaitResult().catch(unlessUnreached)
    await observe()
    mark('victim')
    const later = tool.invoke({ as: user })
    await later.awaitMessage()
  },
  checks: [
    check(
      'rap-oauth/tool/identity-from-invocation',
      "gives the attacker's token to nobody else",
      (t) => {
        const [attackers, later] = [callOf(t, 'call-1'), callOf(t, 'call-3')]
        const callback = t.requests('browser', 'call-1').find(({ url }) => url.includes('code='))
        const answer = callback && t.answer(callback)
        if (!callback || answer?.type !== 'response')
          return inconclusive('the tampered callback was not answered')
        const [message] = later.answers
        if (!message) return inconclusive('the victim got no message')
        const used = unexplainedUse([attackers], later)
        const evidence = [
          ...cite(callback, answer, issuedGrant(attackers), used),
          ...citeMessages(message),
        ]
        const subject = t.provider('decision', 'call-1')[0]?.detail['subject']
        const named = typeof subject === 'string' && textOf(message.value).includes(subject)
        if (used || named) {
          return violation(
            'the token that an attacker fetched is used for a user who was only named in the callback',
            { expected: 'an oauth message for the victim', actual: `a ${String(message.type)}` },
            evidence,
          )
        }
        if (message.type === 'oauth' || isError(message))
          return pass('the victim is still asked to authorize, or refused', evidence)
        return inconclusive(
          'a result came, but nothing shows whose token was used for it',
          evidence,
        )
      },
    ),
  ],
})
