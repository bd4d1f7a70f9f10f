/** Which way imports may go: the rooms of the house, and what each may import of the others. */

import { posix } from 'node:path'
import type { Imports, SourceTree } from './source-tree.ts'

interface Room {
  readonly name: string
  readonly holds: (path: string) => boolean
  /** Whether it may import this file; what a room may import of itself stands here as well. */
  readonly allows: (path: string, from: string) => boolean
}

const below =
  (...folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`))

/** What shows that the rest is right may import anything. */
const proof = /\.test\.ts$|\.suite\.ts$|(^|\/)testing\.ts$|\/proof\/|^tests\/|^bench\//

/** Folders of `suites/` that several protocols share. */
export const sharedSuites: readonly string[] = ['oauth-client', 'host']

/** What imports the wrong way, a line for each. */
export function wrongDirections(tree: SourceTree, imports: Imports): string[] {
  const rooms = roomsOf(tree)
  return [...imports].flatMap(([from, targets]) => {
    const room = rooms.find(({ holds }) => holds(from))
    if (room === undefined) return [`${from}: stands in no room`]
    return targets
      .filter((target) => !room.allows(target, from))
      .map((target) => `${from}: ${room.name} may not import ${target}`)
  })
}

/** The first room that holds a file is its own. */
function roomsOf(tree: SourceTree): readonly Room[] {
  const roles = rolesOf(tree)
  return [
    {
      name: 'a reference implementation',
      holds: (path) => referenceOf(path) !== undefined,
      allows: (path, from) => referenceOf(path) === referenceOf(from),
    },
    { name: 'a proof', holds: (path) => proof.test(path), allows: () => true },
    { name: 'the mock provider', holds: below('mock-provider'), allows: below('mock-provider') },
    { name: 'the mock model', holds: below('mock-model'), allows: below('mock-model') },
    { name: 'the engine', holds: below('harness/engine'), allows: below('harness/engine') },
    {
      name: 'the harness',
      holds: below('harness'),
      allows: below('harness', 'mock-provider', 'mock-model'),
    },
    {
      name: 'the way in for test files',
      holds: (path) => posix.dirname(path) === 'suites',
      allows: (path) =>
        below('harness')(path) ||
        posix.dirname(path) === 'suites' ||
        roles.some((role) => path === `${role}/profile.ts`),
    },
    {
      name: 'what protocols share',
      holds: below(...sharedSuites.map((name) => `suites/${name}`)),
      allows: below('harness', ...sharedSuites.map((name) => `suites/${name}`)),
    },
    {
      name: 'a protocol',
      holds: below('suites'),
      allows: (path, from) =>
        below('harness', ...sharedSuites.map((name) => `suites/${name}`))(path) ||
        (protocolOf(path) === protocolOf(from) && isWithinReach(path, from, roles)),
    },
    {
      name: 'a report',
      holds: below('reports'),
      allows: below('reports', 'harness/engine'),
    },
    {
      name: 'the command line',
      holds: below('cli'),
      allows: (path) => !below('suites')(path) || path === 'suites/registry.ts',
    },
    { name: 'the package', holds: (path) => !path.includes('/'), allows: () => true },
  ]
}

/** The folders of roles: those with a profile. */
function rolesOf(tree: SourceTree): string[] {
  return [...tree.keys()]
    .filter((path) => below('suites')(path) && posix.basename(path) === 'profile.ts')
    .map((path) => posix.dirname(path))
}

/** Roles of one protocol know each other only by what stands beside them; a reference only its profile knows. */
function isWithinReach(path: string, from: string, roles: readonly string[]): boolean {
  const role = roles.find((each) => below(each)(path))
  if (role !== undefined && !below(role)(from)) return false
  return referenceOf(path) === undefined || from === `${role}/profile.ts`
}

function protocolOf(path: string): string | undefined {
  return /^suites\/([^/]+)\//.exec(path)?.[1]
}

function referenceOf(path: string): string | undefined {
  return /^(suites\/.+\/reference)\//.exec(path)?.[1]
}
