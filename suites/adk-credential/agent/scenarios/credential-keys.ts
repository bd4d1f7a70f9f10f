/** What a credential is kept under: it serves every tool of its AuthConfig, and no other. */

import { cite, inconclusive, isAfter, pass, violation } from '../../../../harness/engine/index.ts'
import { served, tokenAccesses } from '../../../oauth-client/view.ts'
import { check, type Judge } from '../checks.ts'
import { needsOtherCredential, needsSameCredential } from '../conditions.ts'
import type { Fixtures } from '../test-bed.ts'
import { callOf } from '../view.ts'
import { control, scenario } from './define.ts'

/** A call that its user approves, and then one of another tool. */
function approvedThen(other: 'sameCredential' | 'otherCredential') {
  return async ({ begin, user, configuration }: Fixtures): Promise<void> => {
    const first = begin(user)
    await user.approve(first)
    await first.ended()
    await begin(user, { tools: [configuration.others[other]!] }).answered()
  }
}

const sharedCredential = scenario({
  id: 'another-tool-of-the-same-credential',
  title: 'the user approves, then the model asks for another tool with the same AuthConfig',
  control,
  notApplicable: needsSameCredential,
  drive: approvedThen('sameCredential'),
  checks: [
    check('adk-credential/agent/credential-shared-by-key', 'serves it without asking', (t) => {
      const [first, second] = [callOf(t), callOf(t, 'call-2')]
      if (!tokenAccesses(first).some(served))
        return inconclusive('the first call was not served with a token')
      const used = tokenAccesses(first).find((access) => isAfter(access, second.request))
      const [request] = second.requests
      const [end] = second.ended
      const evidence = cite(second.request, used, request?.event, end?.event)
      if (request) {
        const difference = { expected: 'a result', actual: 'a credential request' }
        return violation('a tool of the same AuthConfig asked its user again', difference, evidence)
      }
      if (used && end) return pass('the stored token was used', evidence)
      return inconclusive('the second call was not carried out', evidence)
    }),
  ],
})

/** The token of the first call is not what the second one, of another AuthConfig, is carried out with. */
const asksForItsOwn: Judge = (t) => {
  const [first, second] = [callOf(t), callOf(t, 'call-2')]
  if (!tokenAccesses(first).some(served))
    return inconclusive('the first call was not served with a token')
  const [request] = second.requests
  const used = tokenAccesses(first).find((access) => isAfter(access, second.request))
  const evidence = cite(second.request, used, request?.event)
  // Whoever tried a token that there was, and then asks, has a scope refused (RFC 6750 §3.1).
  if (request) return pass('a credential request', evidence)
  if (second.ack?.type !== 'response')
    return inconclusive('the second call was not answered', evidence)
  if (!used) return inconclusive('the second call neither asked nor called the API', evidence)
  return violation(
    'a tool was run with the credential of another AuthConfig',
    { expected: 'a credential request', actual: String(used.detail['route']) },
    evidence,
  )
}

/** The credential of the first call is there as before, whatever else its user has granted since. */
const keepsTheFirst: Judge = (t, { control: twin }) => {
  const [first, second, third] = [callOf(t), callOf(t, 'call-2'), callOf(t, 'call-3')]
  if (
    !twin ||
    callOf(twin, 'call-2').requests.length > 0 ||
    callOf(twin, 'call-2').ended.length === 0
  )
    return inconclusive('no credential is reused even in the normal case')
  // What the API thinks of the second request does not matter: its token was fetched, and is there.
  if (!tokenAccesses(first).some(served) || tokenAccesses(second).length === 0)
    return inconclusive('the two tools did not call the API with tokens of their own')
  const [request] = third.requests
  const [end] = third.ended
  const evidence = cite(third.request, request?.event, end?.event)
  const foreign = tokenAccesses(second).find((access) => isAfter(access, third.request))
  if (request || foreign) {
    return violation(
      'the credential of another AuthConfig took the place of the stored one',
      {
        expected: 'a result with the token of the first call',
        actual: foreign ? 'the token of the second one' : 'a credential request',
      },
      [...evidence, ...cite(foreign)],
    )
  }
  return end
    ? pass('the credential of each was kept', evidence)
    : inconclusive('the third call has no result', evidence)
}

const otherCredential = scenario({
  id: 'another-tool-of-another-credential',
  title: 'the user approves, then the model asks for another tool with an AuthConfig of its own',
  control,
  notApplicable: needsOtherCredential,
  drive: approvedThen('otherCredential'),
  checks: [check('adk-credential/agent/credential-of-its-key', 'asks for its own', asksForItsOwn)],
})

const bothCredentials = scenario({
  id: 'tools-of-two-credentials-in-turn',
  title:
    'the user approves two tools with AuthConfigs of their own, then the first is called again',
  control: 'stored-token',
  notApplicable: needsOtherCredential,
  async drive({ begin, user, configuration }) {
    const first = begin(user)
    await user.approve(first)
    await first.ended()
    const second = begin(user, { tools: [configuration.others.otherCredential!] })
    await user.approve(second)
    await second.ended()
    await begin(user).answered()
  },
  checks: [
    check('adk-credential/agent/credential-of-its-key', 'keeps the first one', keepsTheFirst),
  ],
})

export const credentialKeyScenarios = [sharedCredential, otherCredential, bothCredentials]
