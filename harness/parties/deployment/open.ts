/** Starts what a deployment consists of, over the network or inside this process. */

import type { Deployment, DeploymentOptions } from './deployment.ts'
import { openInProcess } from './in-process.ts'
import { openNetworked } from './networked.ts'
import type { Surroundings } from './surroundings.ts'

/** Starts provider, receiver and implementation. @throws Unreachable */
export async function openDeployment(
  surroundings: Surroundings,
  options: DeploymentOptions,
): Promise<Deployment> {
  const { target } = surroundings.configuration
  return target.module
    ? openInProcess(surroundings, options, target.module)
    : openNetworked(surroundings, options)
}
