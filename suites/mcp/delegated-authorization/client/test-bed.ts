/** Opens what the scenarios act in: for each of them a client of its own, its servers, and an authorization server. */

import type { OpenOptions, ScenarioContext, TestBed } from '../../../../harness/engine/index.ts'
import { freePort } from '../../../../harness/parties/index.ts'
import { recordOutputFiles } from '../../../oauth-client/output-files.ts'
import { askedBeside } from '../../client/beside.ts'
import type { ClientInstance } from '../../client/instance.ts'
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
import { Call, type AskOptions } from './session.ts'
import { siteChannel } from './vocabulary.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures {
  /** Starts a client whose user has it call the tool of the first server. */
  readonly begin: () => Promise<Call>
  /** Has the same client call it once more, as {@link begin} did. */
  readonly again: () => Promise<Call>
  /** Has it call the tool of the second server meanwhile. */
  readonly beside: () => Promise<Call>
  /** Has the second server ask as well while the first question is open. @throws NotOffered */
  readonly askBeside: (options: AskOptions) => Promise<Call>
  /** Ends every other scenario, then records the declared logs and stores. */
  readonly recordOutputFiles: () => Promise<void>
}

export function openTestBed(options: OpenOptions<ClientConfiguration>): Promise<TestBed<Fixtures>> {
  return Promise.resolve(clientTestBed(options, makeFixtures))
}

function makeFixtures(bed: ClientBed<ClientConfiguration>, context: ScenarioContext): Fixtures {
  const { run, configuration, base, workDirectory } = bed.options
  let client: OpenedClient | undefined
  const opened = (): OpenedClient => {
    if (!client) throw new Error('no client was begun')
    return client
  }
  const call = (tool: string): Promise<Call> => opened().call(tool)
  return {
    ...clientFixtures(bed, context),
    async begin() {
      client = await open(bed, context)
      return call(tools[0])
    },
    again: () => call(tools[0]),
    beside: () => call(tools[1]),
    askBeside(options) {
      const ask = async (): Promise<Call> => {
        const second = await call(tools[1])
        await second.ask(options)
        return second
      }
      return askedBeside(ask, opened().instance, context.lendSlot)
    },
    async recordOutputFiles() {
      await context.others()
      const place = { configuration: { base }, dataRoot: dataRootOf(workDirectory) }
      const { logs, stores: tokenStore } = configuration.declares
      await recordOutputFiles(context.recorder, run, place, { logs, tokenStore })
    },
  }
}

const authorizePath = '/authorize'

interface OpenedClient {
  readonly instance: Promise<ClientInstance>
  /** Has it make one more call. */
  readonly call: (tool: string) => Promise<Call>
}

async function open(
  bed: ClientBed<ClientConfiguration>,
  context: ScenarioContext,
): Promise<OpenedClient> {
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
  const make = async (tool: string): Promise<Call> => {
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
  return { instance, call: make }
}
