import {
  askedTooMuch,
  issuedGrant,
  tokenAccesses,
  unexplainedUse,
  isRateLimit,
} from '../../../oauth-client/view.ts'
import {
  cite,
  inconclusive,
  pass,
  violation,
  type Judgement,
  type Transcript,
  worstOf,
} from '../../../../harness/engine/index.ts'
import { textOf } from '../../messages.ts'
import { check } from '../checks.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf, citeMessages, isError } from '../view.ts'
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

/** Parameters that a tool has put into its own redirect URI. */
function ownParameters(redirect: string): string[] {
  const names = new URL(redirect).searchParams.keys()
  return [...new Set(names)].filter((name) => !responseParameters.has(name))
}

export const callbackIdentity = scenario({
  id: 'identity-in-callback',
  title: "attackers' callbacks in which one other parameter names a victim, who then calls",
  control: 'stored-token',
  async drive(fixtures) {
    const { tool, user } = fixtures
    const victims = await user.consent(tool.invoke({ as: user }))
    const theirs = new URL(victims.redirect).searchParams
    const own = ownParameters(victims.redirect)
    // Unknown parameters are ignored (RFC 6749 §4.1.2), so all of them can be added at once.
    const added = identityNames.filter((name) => !own.includes(name))
    await attack(fixtures, () => Object.fromEntries(added.map((name) => [name, user.id])))
    // Of the tool's own ones each is altered alone: if two are, one may be refused for the sake of the other.
    for (const name of own) {
      const value = theirs.get(name) ?? ''
      await attack(fixtures, (present) => ({ [name]: present === value ? user.id : value }), name)
    }
  },
  checks: [
    check(
      'rap-oauth/tool/identity-from-invocation',
      "uses an attacker's token for no other user",
      (t) => {
        const attacks = t.steps('mark').filter(({ detail }) => detail['name'] === 'attack')
        if (attacks.length === 0) return inconclusive('no attacker came back')
        const judgements = attacks.map(({ detail }) =>
          judgeAttack(t, String(detail['attackers']), String(detail['victims'])),
        )
        const worst = worstOf(judgements)
        if (worst) return worst
        const honoured = attacks.some(({ detail }) =>
          issuedGrant(callOf(t, String(detail['attackers']))),
        )
        const evidence = judgements.flatMap((judgement) => judgement.evidence)
        if (!honoured && attacks.length === 1)
          return inconclusive('the tampered callback was refused', evidence)
        return pass('the victim is still asked to authorize, or refused', evidence)
      },
    ),
  ],
})

/** One attacker's callback with one change; then the victim calls. */
async function attack(
  { tool, user, newUser, observe, mark }: Fixtures,
  changesOf: (present: string) => Record<string, string>,
  parameter = '',
): Promise<void> {
  const attacker = newUser('attacker')
  const attackers = tool.invoke({ as: attacker })
  const own = await attacker.consent(attackers)
  const present = new URL(own.redirect).searchParams.get(parameter) ?? ''
  const visit = await attacker.follow(own, attacker.tampered(own, changesOf(present)))
  // The tool may complete the attacker's call or refuse the callback; both are right. Where it may be completing it,
  // that is waited for: a late use of the token is no use for the victim.
  const refused = visit.ended === 'page' && visit.status >= 400
  if (!refused) await attackers.settle()
  await observe()
  const later = tool.invoke({ as: user })
  mark('attack', { parameter, attackers: attackers.name, victims: later.name })
  await later.answered()
}

function judgeAttack(t: Transcript, attackersName: string, victimsName: string): Judgement {
  const [attackers, later] = [callOf(t, attackersName), callOf(t, victimsName)]
  const callback = t.requests('browser', attackersName).find(({ url }) => url.includes('code='))
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
  const subject = t.provider('decision', attackersName)[0]?.detail['subject']
  const named = typeof subject === 'string' && textOf(message.value).includes(subject)
  if (used || named) {
    return violation(
      "an attacker's token is used for the user named in the callback: take the user from the stored call",
      { expected: 'an oauth message for the victim', actual: `a ${String(message.type)}` },
      evidence,
    )
  }
  const [end] = later.ended
  if (end && isRateLimit(end)) return inconclusive(askedTooMuch, evidence)
  if (message.type === 'oauth' || isError(message))
    return pass('the victim is still asked to authorize, or refused', evidence)
  // Whoever asked the API nothing has nothing of anybody to give.
  if (tokenAccesses(later).length === 0)
    return pass('the victim was given nothing of an account', evidence)
  return inconclusive('a result came, but nothing shows whose token was used for it', evidence)
}
