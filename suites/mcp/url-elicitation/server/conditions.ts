/** What a vendor configured or declared that takes scenarios away. */

import { hasHandshake } from '../../wire/revisions.ts'
import type { Declared } from './configuration.ts'

export function needsLogin({ login }: Declared): string | undefined {
  return login
    ? undefined
    : 'no browser can log in at this server (declares.login), so it cannot tell who opens a link'
}

export function needsAuthorization({ authorization }: Declared): string | undefined {
  return authorization
    ? undefined
    : 'the endpoint demands no token (target.authorization), so it knows nobody by one'
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
