/** What all deployments of a run share: authority, keys, folders. */

import { generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createAuthority, type Authority } from '../../../mock-provider/index.ts'
import type { Run } from '../../engine/run.ts'
import { requireOffered } from '../facilities.ts'
import { writeAuthority } from '../implementation/environment.ts'
import { expectArrivals, type Arrivals } from '../provider/arrivals.ts'
import { keptAuthority } from '../provider/kept-authority.ts'
import type { DeploymentConfiguration } from './deployment.ts'

/** What all deployments of a run share. */
export interface Surroundings {
  readonly run: Run
  readonly configuration: DeploymentConfiguration
  readonly authority: Authority
  /** What the providers of the run sign with. */
  readonly signingKey: readonly KeyObject[]
  readonly caFile: string
  /** Where implementations may keep data; removed with the run's temporary folder. */
  readonly dataRoot: string
  /** Whether implementations find the providers, where these have the names of a real one. */
  readonly arrivals?: Arrivals | undefined
}

/** Certificates and folders; everything is below `workDirectory` unless an authority folder is asked for. */
export async function prepareSurroundings(
  run: Run,
  configuration: DeploymentConfiguration,
  workDirectory: string,
): Promise<Surroundings> {
  const kept = configuration.provider.authority
  const authority = await (kept
    ? keptAuthority(resolve(configuration.base, kept))
    : createAuthority())
  const caFile = join(workDirectory, 'ca.pem')
  mkdirSync(workDirectory, { recursive: true })
  writeAuthority(caFile, authority.caPem)
  requireOffered(configuration)
  const dataRoot = join(workDirectory, 'data')
  const { hostnames, preset, tokenFormat, tokenSigningAlg } = configuration.provider
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const needsRsa = preset !== undefined || tokenFormat !== 'opaque' || configuration.logsIn === true
  return {
    run,
    configuration,
    authority,
    signingKey: [
      privateKey,
      ...(needsRsa ? [await rsaKey()] : []),
      ...(tokenSigningAlg === 'EdDSA' ? [generateKeyPairSync('ed25519').privateKey] : []),
    ],
    caFile,
    dataRoot,
    arrivals: hostnames && expectArrivals(hostnames, run),
  }
}

/** For id tokens, which clients of real providers ask for, and for JWTs: too much work for each provider of a run. */
async function rsaKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey
}
