/** What scenarios act with alike, whatever hands the user over. */

import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  isAfter,
  NotOffered,
  servedPath,
  Unreachable,
  windowWhilePending,
  type Run,
  type ScenarioContext,
} from '../../harness/engine/index.ts'
import type {
  Deployment,
  DeploymentOptions,
  FaultId,
  Surroundings,
} from '../../harness/parties/index.ts'
import type { ClientFixtures, Handoff } from './handoff.ts'
import { prepareImpostor } from './impostor.ts'
import { recordOutputFiles, type DeclaredOutput } from './output-files.ts'
import { elsewhereCall } from './vocabulary.ts'

export interface ClientParts {
  readonly run: Run
  readonly context: ScenarioContext
  readonly deployment: Deployment
  readonly surroundings: Surroundings
  readonly declares: DeclaredOutput & { readonly pendingTimeout?: number | undefined }
}

/** What needs nothing of the protocol but how a call is read. */
export interface SharedFixtures extends Omit<
  ClientFixtures,
  'begin' | 'user' | 'newUser' | 'ownInstance'
> {
  /** Whether an instance of its own is possible: the harness starts this implementation. */
  readonly canOwnInstance: boolean
  /**
   * Opens something with a deployment that the scenario has for itself.
   * @throws NotOffered when the implementation does not start with these faults
   */
  readonly openOwn: <T>(
    open: (options: DeploymentOptions) => Promise<T>,
    faults?: readonly FaultId[],
  ) => Promise<T>
  /** Ends every other scenario, then records the declared stores and logs. */
  readonly recordOutputFiles: () => Promise<void>
}

export function sharedFixtures(
  { callOf }: Pick<Handoff, 'callOf'>,
  { run, context, deployment, surroundings, declares }: ClientParts,
): SharedFixtures {
  const { recorder, offSlot } = context
  const canOwnInstance = surroundings.configuration.target.command !== undefined
  const watch = async (ms: number, detail = {}): Promise<void> => {
    await offSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
    if (run.signal.aborted) return
    recorder.record({ type: 'step', action: 'window', detail: { ms, ...detail } })
  }
  return {
    timing: run.timing,
    offSlot,
    mark: (name, detail = {}) =>
      recorder.record({ type: 'step', action: 'mark', detail: { name, ...detail } }),
    observe: (ms = run.timing.observeMs) => watch(ms),
    observeWhilePending: () =>
      watch(windowWhilePending(run.timing.observeMs, declares.pendingTimeout), { pending: true }),
    forgedCode({ name }) {
      const text = `forged_${randomBytes(24).toString('base64url')}`
      const { value } = run.ledger.add('authorization_code', text)
      deployment.records.bait(value, { recorder, call: name })
      return value
    },
    baitToken: ({ name }, token) => deployment.records.bait(token, { recorder, call: name }),
    elsewhere: () => deployment.receiver.open({ recorder, call: elsewhereCall }).url,
    hasAsked(isThere) {
      const t = recorder.transcript()
      const { request } = callOf(t)
      return t
        .requests('provider')
        .some((each) => isThere(servedPath(each)) && isAfter(each, request))
    },
    impostor: (imposture) => prepareImpostor(imposture, { recorder, deployment }),
    async restart() {
      const note = (action: string) => recorder.record({ type: 'step', action, detail: {} })
      note('restart')
      await offSlot(deployment.implementation.restart(() => note('stopped')))
      note('restarted')
    },
    canOwnInstance,
    async openOwn(open, faults = []) {
      if (!canOwnInstance)
        throw new Error('a scenario that needs an instance of its own has to say so')
      const options = { name: `own-${recorder.name}`, log: recorder, issuerFaults: faults }
      try {
        return await offSlot(open(options))
      } catch (error) {
        if (!(error instanceof Unreachable) || faults.length === 0) throw error
        throw new NotOffered(`with ${faults.join(', ')} it does not start: ${error.message}`)
      }
    },
    async recordOutputFiles() {
      await context.others()
      await recordOutputFiles(recorder, run, surroundings, declares)
    },
  }
}
