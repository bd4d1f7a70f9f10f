/** What a vendor configured or declared that takes scenarios away. */

import type { Scenario } from '../../../../harness/engine/index.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import type { Declared } from './configuration.ts'

/** What is only asked of who gets tokens for its user. */
export function needsOauthClient({ oauthClient }: Declared): string | undefined {
  return oauthClient
    ? undefined
    : 'it is not an OAuth client (declares.oauthClient), so it asks for no token and has none'
}

/** A scenario that is only asked of OAuth clients. */
export function ofOauthClients<Fixtures>(
  each: Scenario<Fixtures, Declared>,
): Scenario<Fixtures, Declared> {
  return {
    ...each,
    notApplicable: (declared) => needsOauthClient(declared) ?? each.notApplicable?.(declared),
  }
}

export { needsAuthorization } from '../../server/needs-authorization.ts'

export function needsLogin({ login }: Declared): string | undefined {
  return login
    ? undefined
    : 'no browser can log in at this server (declares.login), so it cannot tell who opens a link'
}

export function needsModern({ modern }: Declared): string | undefined {
  return modern ? undefined : 'revision 2026-07-28 is not declared (declares.modern)'
}

export function needsOtherArguments({ otherArguments }: Declared): string | undefined {
  return otherArguments
    ? undefined
    : 'no other arguments of the tool are configured (tool.otherArguments)'
}

export function needsStdio({ transport }: Declared): string | undefined {
  return transport === 'stdio'
    ? undefined
    : 'it is spoken with over HTTP (target.transport), where standard output is free'
}

/** Revisions with requests of the server, which later ones have not. */
export function needsHandshake({ revision }: Declared): string | undefined {
  return hasHandshake(revision) ? undefined : `revision ${revision} has nothing of the kind`
}
