/** What a register says about one certification, and whether it is the one that the register means. */

import { canonicalJson } from '../record/catalogue.ts'
import type { RunRecord } from '../record/run-record.ts'
import { BundleError } from './bundle.ts'
import type { Register, RegisterEntry } from './register.ts'

export interface Standing {
  /** How often this implementation, in any version, was tried as this profile. */
  readonly attempts: number
  /** How many of them ended so; `unfinished` has no end. */
  readonly ended: Readonly<Record<'conformant' | 'non-conformant' | 'inconclusive', number>>
  readonly unfinished: number
  /** How many runs of anything are in the register: the same implementation can have had another name. */
  readonly runs: number
}

/** A run, as far as a register speaks of it. */
export type Registered = Pick<
  RunRecord,
  'run' | 'profile' | 'implementation' | 'verdict' | 'started' | 'finished'
>

/** @throws {@link BundleError} where the register does not list it, lists something else, or says that it was withdrawn */
export function standingOf(register: Register, attestation: string, of: Registered): Standing {
  requireListed(register, attestation, of)
  const begun = entriesOf(register, 'begun')
  const own = begun.filter(
    ({ profile, implementation }) =>
      profile === of.profile && implementation.name === of.implementation.name,
  )
  const runs = new Set(own.map(({ run }) => run))
  const ends = entriesOf(register, 'ended').filter(({ run }) => runs.has(run))
  const count = (verdict: string): number => ends.filter((each) => each.verdict === verdict).length
  return {
    attempts: own.length,
    ended: {
      conformant: count('conformant'),
      'non-conformant': count('non-conformant'),
      inconclusive: count('inconclusive'),
    },
    unfinished: own.length - ends.length,
    runs: begun.length,
  }
}

function requireListed(register: Register, attestation: string, of: Registered): void {
  const taken = entriesOf(register, 'withdrawn').find((each) => each.attestation === attestation)
  if (taken) throw new BundleError(`it was withdrawn: ${taken.reason}`)
  const end = lineOf(register, 'ended', (each) => each.attestation === attestation)
  if (!end) throw new BundleError('it is not in the register')
  const begin = lineOf(register, 'begun', (each) => each.run === end.entry.run)
  const { run, profile, implementation, verdict } = of
  const listed = { ...begin?.entry, verdict: end.entry.verdict }
  if (
    canonicalJson(listed) !==
    canonicalJson({ type: 'begun', run, profile, implementation, verdict })
  ) {
    throw new BundleError('the register lists it as something else')
  }
  // Lines that were written afterwards show no attempt that was thrown away.
  const late = Date.parse(begin?.at ?? '') > Date.parse(of.started)
  if (late || Date.parse(end.at) < Date.parse(of.finished)) {
    throw new BundleError('the register was not written during the run, but before or after it')
  }
}

type Entry<Type> = Extract<RegisterEntry, { type: Type }>

function linesOf<Type extends RegisterEntry['type']>({ lines }: Register, type: Type) {
  return lines.flatMap(({ at, entry }) =>
    entry.type === type ? [{ at, entry: entry as Entry<Type> }] : [],
  )
}

function lineOf<Type extends RegisterEntry['type']>(
  register: Register,
  type: Type,
  is: (entry: Entry<Type>) => boolean,
) {
  return linesOf(register, type).find(({ entry }) => is(entry))
}

function entriesOf<Type extends RegisterEntry['type']>(register: Register, type: Type) {
  return linesOf(register, type).map(({ entry }) => entry)
}
