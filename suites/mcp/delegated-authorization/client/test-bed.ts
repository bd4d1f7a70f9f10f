/** Opens what the scenarios act in: for each of them a client of its own, its servers, and an authorization server. */

import type { OpenOptions, ScenarioContext, TestBed } from '../../../../harness/engine/index.ts'
import { freePort } from '../../../../harness/parties/index.ts'
import { recordOutputFiles } from '../../../oauth-client/output-files.ts'
import {
  clientFixtures,
  clientTestBed,
  dataRootOf,
  newSuffix,
  openClient,
  tools,
  type ClientBed,
  type ClientFixtures,
} from '../../client/open-client.ts'
import type { ClientConfiguration } from './configuration.ts'
import { Call } from './session.ts'
import { siteChannel } from './vocabulary.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures {
  /** Starts a client whose user has it call the tool of the first server. */
  readonly begin: () => Promise<Call>
  /** Has the same client call it once more, as {@link begin} did. */
  readonly again: () => Promise<Call>
  /** Has it call the tool of the second server meanwhile. */
  readonly beside: () => Promise<Call>
  /** Ends every other scenario, then records the declared logs and stores. */
  readonly recordOutputFiles: () => Promise<void>
}

export function openTestBed(options: OpenOptions<ClientConfiguration>): Promise<TestBed<Fixtures>> {
  return Promise.resolve(clientTestBed(options, makeFixtures))
}

function makeFixtures(bed: ClientBed<ClientConfiguration>, context: ScenarioContext): Fixtures {
  const { run, configuration, base, workDirectory } = bed.options
  let next: ((tool: string) => Promise<Call>) | undefined
  const call = (tool: string): Promise<Call> => {
    if (!next) throw new Error('no client was begun')
    return next(tool)
  }
  return {
    ...clientFixtures(bed, context),
    async begin() {
      next = await open(bed, context)
      return call(tools[0])
    },
    again: () => call(tools[0]),
    beside: () => call(tools[1]),
    async recordOutputFiles() {
      await context.others()
      const place = { configuration: { base }, dataRoot: dataRootOf(workDirectory) }
      const { logs, stores: tokenStore } = configuration.declares
      await recordOutputFiles(context.recorder, run, place, { logs, tokenStore })
    },
  }
}

const authorizePath = '/authorize'

/** Opens a client; what is returned has it make one more call each time. */
async function open(
  bed: ClientBed<ClientConfiguration>,
  context: ScenarioContext,
): Promise<(tool: string) => Promise<Call>> {
  const { run, configuration } = bed.options
  const { recorder, lendSlot } = context
  const calls: Call[] = []
  const { instance, site } = await openClient(bed, context, {
    modern: false,
    channel: siteChannel,
    calls,
    httpsOnly: configuration.declares.httpsOnly,
  })
  // The redirect goes to 127.0.0.1, which must not be taken for the domain.
  const endpoint = `${site.origin.replace('127.0.0.1', 'localhost')}${authorizePath}`
  return async (tool) => {
    const name = `call-${calls.length + 1}`
    const call = new Call(name, {
      recorder,
      run,
      lendSlot,
      patience: bed.patience,
      instance,
      tool,
      note: `${name}-${newSuffix()}`,
      endpoint,
      redirectUri: `http://127.0.0.1:${await freePort()}/callback`,
      opens: configuration.declares.opens,
    })
    calls.push(call)
    await call.begin()
    return call
  }
}
