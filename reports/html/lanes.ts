/** Who speaks to whom in a sequence diagram, by the role of the implementation. */

import type { Channel, RequestEvent } from '../../harness/index.ts'

/** The lanes of a diagram, from left to right, and where the implementation stands. */
export interface Roles {
  readonly lanes: readonly string[]
  readonly implementation: string
  /** Sender and receiver of a request; its answer goes the other way. */
  readonly ends: (request: Pick<RequestEvent, 'channel' | 'url'>) => readonly [string, string]
  /** Who shows something to the user. */
  readonly shows: readonly [string, string]
}

/** The provider plays two parties: the authorization server, and the API that it protects. */
function atProvider(url: string, implementation: string): readonly [string, string] {
  const path = pathOf(url)
  if (/^\/(authorize|interaction)\b/.test(path)) return ['user', 'provider']
  return [implementation, /^\/resource\b/.test(path) ? 'resource' : 'provider']
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}

type Directions = Readonly<Record<Exclude<Channel, 'provider'>, readonly [string, string]>>

function rolesOf(lanes: readonly string[], implementation: string, directions: Directions): Roles {
  return {
    lanes,
    implementation,
    ends: ({ channel, url }) =>
      channel === 'provider' ? atProvider(url, implementation) : directions[channel],
    shows: [implementation, 'user'],
  }
}

/** Directions between a runtime and a tool; `from` calls, `to` is called. */
function between(from: string, to: string): Directions {
  return {
    discovery: [from, to],
    invocation: [from, to],
    notification: [from, to],
    callback: [to, from],
    browser: ['user', to],
    message: ['user', from],
    model: [from, 'model'],
  }
}

const byRole: Readonly<Record<string, Roles>> = {
  tool: rolesOf(
    ['user', 'runtime', 'tool', 'provider', 'resource'],
    'tool',
    between('runtime', 'tool'),
  ),
  runtime: rolesOf(['user', 'runtime', 'model', 'tool'], 'runtime', between('runtime', 'tool')),
}

/** Where the role is not known, the harness is everybody else. */
const otherwise = rolesOf(
  ['user', 'harness', 'implementation', 'provider', 'resource'],
  'implementation',
  between('harness', 'implementation'),
)

/** The roles of a profile, whose last part names what the implementation is. */
export function rolesFor(profile: string): Roles {
  const role = profile.split('/').at(-1) ?? ''
  return Object.hasOwn(byRole, role) ? (byRole[role] ?? otherwise) : otherwise
}
