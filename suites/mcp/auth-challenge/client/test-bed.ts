/** Opens what the scenarios act in: one provider for all, and for each user a client of their own with its servers. */

import { randomBytes } from 'node:crypto'
import {
  Patience,
  type OpenOptions,
  type ScenarioContext,
  type TestBed,
} from '../../../../harness/engine/index.ts'
import {
  Deployments,
  prepareSurroundings,
  type Deployment,
  type DeploymentOptions,
} from '../../../../harness/parties/index.ts'
import { sharedFixtures, type SharedFixtures } from '../../../oauth-client/fixtures.ts'
import type { ClientFixtures } from '../../../oauth-client/handoff.ts'
import { User } from '../../../oauth-client/user.ts'
import { userNames } from '../../../oauth-client/vocabulary.ts'
import { hasHandshake } from '../../wire/revisions.ts'
import type { ClientConfiguration } from './configuration.ts'
import { admit, startDrivenClient, type DrivenClient } from './driven-client.ts'
import { tools } from './vocabulary.ts'
import type { ProtectedServer } from './protected-server.ts'
import type { Rules } from './rules.ts'
import { Call } from './session.ts'
import { callOf } from './view.ts'

type FaultSpec = NonNullable<DeploymentOptions['issuerFaults']>[number]

/** What a scenario acts with. */
export interface Fixtures extends Omit<ClientFixtures, 'begin' | 'ownInstance'> {
  /** A call of the client of that user, which is started for the first one. */
  readonly begin: (as: User, beside?: unknown) => Call
  /** Starts the client of the user with servers that have these rules; without it, with the usual ones. */
  readonly open: (as: User, options?: ClientOptions) => Opened
  /** The same with a provider of its own, which misbehaves. */
  readonly ownInstance: (...faults: readonly FaultSpec[]) => Promise<Fixtures>
  /** The same, whose issuer has this path. */
  readonly ownIssuer: (issuerPath: string, ...faults: readonly FaultSpec[]) => Promise<Fixtures>
  /** The issuer of its provider. */
  readonly issuer: string
  /** Has its provider issue tokens for servers of another one. */
  readonly admit: (servers: readonly ProtectedServer[]) => void
  readonly recordOutputFiles: SharedFixtures['recordOutputFiles']
}

export interface ClientOptions {
  readonly modern?: boolean
  /** Of the first server. */
  readonly rules?: Partial<Rules>
  /** Whether both servers stand at one host. */
  readonly oneHost?: boolean
}

/** A client that is starting. */
export interface Opened {
  readonly begin: (server?: 0 | 1) => Call
  /** Its servers, once they are there. */
  readonly servers: () => Promise<readonly ProtectedServer[]>
  /** Has its user sign in by a command, where it has one. */
  readonly signIn: () => Promise<void>
}

export async function openTestBed(
  options: OpenOptions<ClientConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, configuration, base, workDirectory, onPeer } = options
  const { target, provider } = configuration
  const surroundings = await prepareSurroundings(
    run,
    {
      target,
      provider,
      base,
      placeholders: {},
      urlAs: 'client.url',
      startedByClients: true,
      native: true,
    },
    workDirectory,
  )
  const deployments = new Deployments(surroundings)
  const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
  const tls = await surroundings.authority.issue(['localhost', '127.0.0.1', '::1'])
  const parts: RunParts = {
    options,
    deployments,
    tls,
    patience: new Patience(run.timing),
    running: new Set(),
    died: [],
  }
  return {
    facts: { provider: deployment.issuer, implementation: target.command?.join(' ') },
    fixtures: (context) => makeFixtures(parts, context, deployment),
    survived: () => Promise.resolve(parts.died[0]),
    async close() {
      await Promise.all([...parts.running].map((stop) => stop()))
      await deployments.close()
    },
  }
}

interface RunParts {
  readonly options: OpenOptions<ClientConfiguration>
  readonly deployments: Deployments
  readonly tls: { readonly key: string; readonly cert: string }
  readonly patience: Patience
  /** Ends what scenarios have opened. */
  readonly running: Set<() => Promise<void>>
  /** Why clients ended by themselves. */
  readonly died: string[]
}

/** A part that no other call has, by which everything that belongs to it is known. */
const newSuffix = (): string => randomBytes(4).toString('hex')

function makeFixtures(
  parts: RunParts,
  context: ScenarioContext,
  deployment: Deployment,
  calls: Call[] = [],
): Fixtures {
  const { options, deployments, patience } = parts
  const { run, configuration, base } = options
  const { recorder, lendSlot } = context
  const { surroundings } = deployments
  deployment.records.enter(recorder)
  const shared = sharedFixtures(
    { callOf },
    { run, context, deployment, surroundings, declares: configuration.declares },
  )
  const nameUser = userNames(run.newName)
  const newUser = (kind: string): User =>
    new User({ id: nameUser(kind), recorder, deployment, run, lendSlot, patience })
  const clients = new Map<User, Opened>()

  const open = (
    as: User,
    {
      modern = !hasHandshake(configuration.target.revision),
      rules = {},
      oneHost = false,
    }: ClientOptions = {},
  ): Opened => {
    const own: Call[] = []
    const starting = startDrivenClient({
      run,
      recorder,
      configuration,
      base,
      surroundings,
      deployment,
      tls: parts.tls,
      name: `${recorder.scenario}-${newSuffix()}`,
      modern,
      rules,
      oneHost,
      callOf: (text) => (own.find(({ note }) => text.includes(note)) ?? own.at(-1))?.name,
      lendSlot,
    })
    starting.catch(() => undefined)
    closeAtEnd(parts, context, starting)
    const opened: Opened = {
      begin(server = 0) {
        const name = `call-${calls.length + 1}`
        const call = new Call(name, {
          recorder,
          run,
          lendSlot,
          patience,
          client: starting,
          user: as,
          tool: tools[server],
          note: `${name}-${newSuffix()}`,
        })
        calls.push(call)
        own.push(call)
        call.begin()
        return call
      },
      servers: async () => (await starting).servers,
      async signIn() {
        const { instance, servers } = await lendSlot(starting)
        await (await lendSlot(instance)).signIn?.({ 'mcp.name': servers[0]?.name ?? '' })
      },
    }
    clients.set(as, opened)
    return opened
  }

  const openOwn = async (own: Pick<DeploymentOptions, 'issuerFaults' | 'issuerPath'>) => {
    const opened = await shared.openOwn(
      // A client does not start with its provider, so no fault keeps it from that.
      (deploying) => deployments.openAlone({ ...deploying, ...own }, context),
    )
    return makeFixtures(parts, context, opened, calls)
  }

  return {
    ...shared,
    user: newUser('user'),
    newUser,
    open,
    issuer: deployment.issuer,
    admit: (servers) => servers.forEach((each) => admit(each, deployment)),
    begin: (as) => (clients.get(as) ?? open(as)).begin(),
    ownInstance: (...faults) => openOwn({ issuerFaults: faults }),
    ownIssuer: (issuerPath, ...faults) => openOwn({ issuerPath, issuerFaults: faults }),
  }
}

/** Ends the client with its scenario, or with the run. */
function closeAtEnd(
  { running, died }: RunParts,
  { ended }: ScenarioContext,
  starting: Promise<DrivenClient>,
): void {
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= starting
      .then((client) => client.close())
      .then(
        (reason) => {
          if (reason !== undefined) died.push(reason)
        },
        () => undefined,
      )
      .finally(() => running.delete(close)))
  running.add(close)
  void ended.then(close)
}
