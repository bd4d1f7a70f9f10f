/** Code challenges of the whole run, compared. */

import { cite, inconclusive, pass, violation } from '../../../harness/engine/index.ts'
import { check } from '../judges.ts'

export const challengesDiffer = check(
  'oauth-client/pkce-s256',
  'uses no code challenge twice in the whole run',
  (t) => {
    const requests = t
      .provider('authorization-request')
      .filter(({ detail }) => detail['valid'] === true && detail['codeChallenge'] !== undefined)
    // A link that is opened again is the same request.
    const again = requests.find(({ detail }, index) =>
      requests
        .slice(0, index)
        .some(
          ({ detail: earlier }) =>
            earlier['codeChallenge'] === detail['codeChallenge'] &&
            earlier['state'] !== detail['state'],
        ),
    )
    if (again) {
      const same = requests.filter(
        ({ detail }) => detail['codeChallenge'] === again.detail['codeChallenge'],
      )
      return violation(
        'several flows have the same code challenge',
        {
          expected: 'a new verifier for each flow (RFC 7636 §4.1)',
          actual: `${same.length} flows with ${String(again.detail['codeChallenge'])}`,
        },
        cite(...same.slice(0, 5)),
      )
    }
    if (requests.length < 2) return inconclusive('fewer than two requests have a code challenge')
    return pass(`${requests.length} requests`, cite(...requests.slice(0, 3)))
  },
)
