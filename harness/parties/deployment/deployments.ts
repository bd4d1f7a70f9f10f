/** All deployments of a run: the shared one, and those that scenarios have for themselves. */

import type { ScenarioContext } from '../../engine/profile.ts'
import { isFixed, placeOf } from '../provider/place.ts'
import type { Deployment, DeploymentOptions } from './deployment.ts'
import { openDeployment } from './open.ts'
import type { Surroundings } from './surroundings.ts'

/** Opens deployments, and closes all that it has opened. */
export class Deployments {
  readonly surroundings: Surroundings
  readonly #open = new Set<Deployment>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
  }

  /** @throws Unreachable */
  async open(options: DeploymentOptions): Promise<Deployment> {
    const deployment = await openDeployment(this.surroundings, options)
    this.#open.add(deployment)
    return deployment
  }

  /** With fixed ports two instances cannot live side by side: the shared one goes first, then one at a time. */
  async openAlone(
    options: DeploymentOptions,
    { behind, sharing, ended }: Pick<ScenarioContext, 'behind' | 'sharing' | 'ended'>,
  ): Promise<Deployment> {
    const { target, provider } = this.surroundings.configuration
    const free = target.url.includes('{port}') && !isFixed(placeOf(provider))
    if (free) return this.open(options)
    const opened = this.#turn.then(async () => {
      await sharing()
      await this.close()
      return this.open(options)
    })
    // The next one has its turn when this scenario has ended.
    this.#turn = opened.then(
      () => ended,
      () => undefined,
    )
    return behind(opened)
  }

  async close(): Promise<void> {
    const deployments = [...this.#open]
    this.#open.clear()
    await Promise.all(deployments.map((deployment) => deployment.close()))
  }
}
