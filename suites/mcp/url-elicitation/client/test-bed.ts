/** Opens what the scenarios act in: for each of them clients of its own, their servers, and a site to be sent to. */

import type { OpenOptions, ScenarioContext, TestBed } from '../../../../harness/engine/index.ts'
import { askedBeside } from '../../client/beside.ts'
import {
  clientFixtures,
  clientTestBed,
  newSuffix,
  openClient,
  tools,
  type ClientBed,
  type ClientFixtures,
} from '../../client/open-client.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import type { ClientConfiguration } from './configuration.ts'
import { Call } from './session.ts'
import { pageChannel } from './vocabulary.ts'

/** What a scenario acts with. */
export interface Fixtures extends ClientFixtures {
  /** Starts a client that knows two servers, which speak 2026-07-28 where that is asked for. */
  readonly open: (options?: { readonly modern?: boolean }) => Promise<Client>
}

/** A running client, and what its user can have it do. */
export interface Client {
  /** The user has it call the tool of a server, the first one by default. */
  readonly begin: (options?: BeginOptions) => Promise<Call>
  /** Has a server, the second one by default, ask as well while the first question is open. @throws NotOffered */
  readonly askBeside: (server?: 0 | 1) => Promise<Call>
  /** Its user ends it, and starts it again. */
  readonly restart: () => Promise<void>
  /** Where elicitations lead by default, without a trailing slash. */
  readonly site: string
}

export interface BeginOptions {
  readonly server?: 0 | 1
  /** Where the elicitation leads; default: a page of the site. */
  readonly url?: string | undefined
}

export function openTestBed(options: OpenOptions<ClientConfiguration>): Promise<TestBed<Fixtures>> {
  return Promise.resolve(
    clientTestBed(options, (bed, context) => ({
      ...clientFixtures(bed, context),
      open: ({ modern = !hasHandshake(options.configuration.target.revision) } = {}) =>
        open(bed, context, modern),
    })),
  )
}

/**
 * What of a URL is easily lost: escapes, what is empty or comes twice, capitals, what a shell reads, the fragment, the
 * end. Whoever parses it and writes it again gets the same.
 */
const rest =
  '&to=a%2Fb%20c~&scope=items%3Aread+items:write&hint=&scope=Shelves' +
  '&back=https%3A%2F%2Fapp.example%2Fdone%3Fa%3D1%26b%3D2' +
  '&sum=$HOME$(true);x&challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' +
  `&ticket=${'0123456789abcdef'.repeat(8)}#Step-2`

async function open(
  bed: ClientBed<ClientConfiguration>,
  context: ScenarioContext,
  modern: boolean,
): Promise<Client> {
  const { run, configuration } = bed.options
  const { recorder, lendSlot } = context
  const { serverName: called, opens } = configuration.declares
  const calls: Call[] = []
  const client = await openClient(bed, context, {
    modern,
    channel: pageChannel,
    calls,
    httpsOnly: configuration.declares.httpsOnly,
    detail: called === undefined ? {} : { called },
  })
  const { site, servers, restart } = client
  const begin: Client['begin'] = async ({ server = 0, url } = {}) => {
    const name = `call-${calls.length + 1}`
    const own = `${name}-${newSuffix()}`
    const call = new Call(name, {
      recorder,
      run,
      lendSlot,
      patience: bed.patience,
      instance: () => client.instance,
      tool: tools[server],
      note: own,
      url: url ?? `${site.origin}/connect?e=${own}${rest}`,
      opens,
      otherServer: servers[1 - server]!,
    })
    calls.push(call)
    await call.begin()
    return call
  }
  return {
    site: site.origin,
    begin,
    restart,
    askBeside(server = 1) {
      const ask = async (): Promise<Call> => {
        const call = await begin({ server })
        await call.ask()
        return call
      }
      return askedBeside(ask, client.instance, lendSlot)
    },
  }
}
