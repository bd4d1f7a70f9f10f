/** Opens what the scenarios act in: the server and its provider, the tool to call, and fixtures per scenario. */

import { setTimeout as delay } from 'node:timers/promises'
import {
  NotOffered,
  Patience,
  Unreachable,
  Unreached,
  type OpenOptions,
  type Recorder,
  type Run,
  type ScenarioContext,
  type TestBed,
  type Transcript,
} from '../../../../harness/engine/index.ts'
import {
  Deployments,
  prepareSurroundings,
  type Deployment,
  type FaultId,
  type Imposture,
} from '../../../../harness/parties/index.ts'
import { prepareImpostor } from '../../../oauth-client/impostor.ts'
import { recordOutputFiles } from '../../../oauth-client/output-files.ts'
import { findTool, type ToolToCall } from '../../server/discovery.ts'
import type { TokenForm } from '../../server/flawed-tokens.ts'
import { endpointOf } from '../../server/open-client.ts'
import { unknownProviders } from '../../server/unknown-providers.ts'
import { Callers, type CallOptions } from './callers.ts'
import type { ServerConfiguration } from './configuration.ts'
import { cookiesOf } from './cookies.ts'
import { fetchResourceMetadata, follow, type Chain } from './discovery.ts'
import { callSignedIn, type SignIn } from './sign-in.ts'
import { mcpClientId, redirectUri, Tokens, type TokensParts } from './tokens.ts'
import { callOf, namesItsUser, retried, servedResult, unchallenged, usersOfTheRun } from './view.ts'

/** What a scenario acts with. */
export interface Fixtures {
  /** The MCP endpoint. */
  readonly endpoint: string
  /** Calls the tool and waits for its answer; returns the name of the call. @throws Unreached */
  readonly call: (options?: CallOptions) => Promise<string>
  /** Fetches the metadata that the challenge of a call names, with these headers. @throws Unreached */
  readonly fetchMetadata: (call: string, headers?: CallOptions['headers']) => Promise<void>
  /** @throws NotOffered when a call was not challenged in its result */
  readonly needsChallenge: (call: string) => void
  /** Follows the challenge of a call up to the provider. @throws Unreached */
  readonly follow: (call: string) => Promise<Chain>
  /**
   * Calls the tool with a token as a client gets it that was challenged, and that asks for more scopes where it is told
   * to; returns the token. @throws Unreached
   */
  readonly callSignedIn: (chain: Chain, options?: CallOptions) => Promise<string>
  /** The same by another user than everybody else, and by which one. */
  readonly callAs: (user: UserName, chain: Chain) => Promise<string>
  /** Each of them calls three times by their token, all at once. @throws Unreached */
  readonly callAtOnce: (tokens: Readonly<Record<'one' | 'another', string>>) => Promise<void>
  /** The same with an opaque token that lives for so many seconds. @throws NotOffered where it is not served */
  readonly callForAWhile: (chain: Chain, lifetime: number) => Promise<string>
  /** A right token, for a call that has it where it does not belong. */
  readonly tokenToMisplace: (chain: Chain) => Promise<string>
  /** Right tokens that the server has not seen yet. */
  readonly unseenTokens: (chain: Chain) => Promise<readonly string[]>
  /** Somebody who answers in place of the provider, from when that is called. Only on an instance of its own. */
  readonly impostor: (imposture: Imposture) => Promise<() => void>
  /** @throws NotOffered where nobody has connected to that one and left */
  readonly needsImpostorLeft: () => Promise<void>
  /** Does nothing for so many milliseconds, or until the run is interrupted. */
  readonly idle: (ms: number) => Promise<void>
  /** @throws NotOffered when the result of a call names no user */
  readonly needsName: (call: string) => void
  /** @throws NotOffered when it does not name its own user as the token does */
  readonly needsOwnName: (call: string) => void
  /** Gets one without the scopes that the tool needs. @throws NotOffered where nobody says which these are */
  readonly authorizeLess: (chain: Chain) => Promise<string>
  /** The same with a token that is wrong in one way. */
  readonly callFlawed: (form: TokenForm, chain: Chain, options?: CallOptions) => Promise<string>
  /** Tokens that are each for one resource, which has a similar name. */
  readonly tokensForSimilar: (chain: Chain) => Promise<readonly string[]>
  /** A token of {@link callSignedIn}, of which something is another. */
  readonly alter: (token: string, chain: Chain) => readonly string[]
  /** The cookies that answers have set. */
  readonly cookies: () => NonNullable<CallOptions['headers']>
  /**
   * Fixtures of an instance of its own, whose provider has these faults.
   * @throws NotOffered when the server does not start with them
   */
  readonly ownInstance: (faults: readonly FaultId[]) => Promise<Fixtures>
  /** Ends every other scenario, then records the declared logs. */
  readonly recordOutputFiles: () => Promise<void>
}

/** Neither stands in the other; every other scenario has a user of the first kind. */
const subjectNames = {
  one: (name: string) => `subject-of-${name}`,
  another: (name: string) => `another-at-${name}`,
  // The same letters as the one before (RFC 7519 §4.1.2).
  otherCase: (name: string) => `Another-At-${name}`,
}

type UserName = keyof typeof subjectNames

/** Scopes with which the tool may not be used: those that it needs but for one, and others that are spelt alike. */
export function lackingScopes(
  declared: readonly string[],
  challenged: readonly string[],
): readonly string[] {
  const needed = [...new Set([...declared, ...challenged])]
  const alike = needed.flatMap((each) => [`no-${each}`, `${each}-not`, otherCase(each)])
  return [...declared.slice(0, -1), ...alike.filter((each) => !needed.includes(each))]
}

/** Scopes are case-sensitive (RFC 6749 §3.3). */
function otherCase(scope: string): string {
  const upper = scope.toUpperCase()
  return upper === scope ? scope.toLowerCase() : upper
}

export async function openTestBed(
  options: OpenOptions<ServerConfiguration>,
): Promise<TestBed<Fixtures>> {
  const { run, configuration, base, workDirectory, onPeer } = options
  const { target, provider } = configuration
  const surroundings = await prepareSurroundings(
    run,
    { target, provider, base, placeholders: {}, urlAs: 'server.url' },
    workDirectory,
  )
  const deployments = new Deployments(surroundings)
  const deployment = await deployments.open({ name: 'shared', log: run.log, onPeer })
  deployment.provider.registerClient({ clientId: mcpClientId, redirectUris: [redirectUri] })
  const endpoint = endpointOf(deployment, target)
  const patience = new Patience(run.timing)
  const parts = { run, configuration, deployments, deployment, endpoint, patience }
  const tool = await toolOf(parts)
  const unknown = unknownProviders(surroundings)
  const known = new Map<string, Set<string>>()
  const users = new Set<string>()
  const shared: SharedParts = {
    ...parts,
    tool,
    users,
    signingKeys: surroundings.signingKey,
    unknownProvider: unknown.open,
    knowResource({ provider }, id, scopes) {
      const all = known.get(id) ?? new Set(configuration.provider.scopes)
      for (const scope of scopes) all.add(scope)
      known.set(id, all)
      provider.addAudience({ id, scopes: [...all] })
    },
  }
  return {
    facts: {
      provider: deployment.issuer,
      implementation: deployment.implementation.url,
      endpoint,
      operation: 'problem' in tool ? '' : tool.name,
      ...('problem' in tool ? { problem: tool.problem } : {}),
    },
    fixtures: (context) => makeFixtures({ ...shared, context }),
    survived: () => deployment.implementation.check(run.timing.stepMs),
    async close() {
      await deployments.close()
      await unknown.close()
    },
  }
}

interface RunParts {
  readonly run: Run
  readonly configuration: ServerConfiguration
  readonly deployments: Deployments
  readonly deployment: Deployment
  readonly endpoint: string
  readonly patience: Patience
}

interface SharedParts extends RunParts {
  readonly tool: ToolToCall | { readonly problem: string }
  /** Every user of the run up to now: what is told to one of them may have been another's. */
  readonly users: Set<string>
  readonly unknownProvider: TokensParts['unknownProvider']
  readonly signingKeys: TokensParts['signingKeys']
  readonly knowResource: (
    deployment: Deployment,
    resource: string,
    scopes: readonly string[],
  ) => void
}

/** The tool to call, or why there is none. */
async function toolOf(parts: RunParts): Promise<SharedParts['tool']> {
  const { run, configuration } = parts
  const callers = callersOf(parts, run.log, { name: '', arguments: {} })
  try {
    return await findTool(configuration, () => callers.connect())
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return { problem: error.message }
  } finally {
    await callers.close()
  }
}

function callersOf(parts: RunParts, recorder: Recorder, tool: ToolToCall): Callers {
  const { run, deployment, endpoint, configuration, patience } = parts
  const { revision } = configuration.target
  return new Callers({ recorder, run, deployment, endpoint, revision, tool, patience })
}

function makeFixtures(parts: SharedParts & { readonly context: ScenarioContext }): Fixtures {
  const { run, configuration, context, deployments, deployment, endpoint, tool, patience } = parts
  const { recorder, lendSlot } = context
  deployment.records.enter(recorder)
  const detail = {
    name: deployment.name,
    endpoint,
    issuer: deployment.issuer,
    origins: Object.fromEntries(deployment.origins),
    ...('problem' in tool ? {} : { tool: tool.name }),
  }
  recorder.record({ type: 'step', action: 'deployment', detail })
  const callers = callersOf(parts, recorder, 'problem' in tool ? { name: '', arguments: {} } : tool)
  void context.ended.then(() => callers.close())
  const discovery = { recorder, run, deployment, endpoint, patience }
  const tokens = new Tokens({
    ...parts,
    recorder,
    knowResource: (resource, scopes) => parts.knowResource(deployment, resource, scopes),
  })
  const needed = configuration.declares.scopes ?? []
  parts.users.add(subjectNames.one(recorder.name))
  const noteUsers = (): void => {
    const subjects = [...parts.users]
    recorder.record({ type: 'step', action: usersOfTheRun, detail: { subjects } })
  }
  /** So that a token with another flaw is not refused for want of a scope. */
  const lackingNothing = (chain: Chain): Chain => ({
    ...chain,
    scopes: [...new Set([...chain.scopes, ...needed])],
  })
  return {
    endpoint,
    async call(options) {
      if ('problem' in tool) throw new Unreached(tool.problem)
      return lendSlot(callers.call(options))
    },
    fetchMetadata: (call, headers) => fetchResourceMetadata(discovery, call, headers),
    needsChallenge(call) {
      const why = unchallenged(callOf(recorder.transcript(), call))
      if (why !== undefined) throw new NotOffered(why)
    },
    follow: (call) => follow(discovery, call),
    callSignedIn(chain, options) {
      const scopes = chain.scopes.length > 0 ? chain.scopes : needed
      const obtain: SignIn['obtain'] = (requested) => tokens.authorize(chain, requested)
      return lendSlot(callSignedIn({ recorder, callers, obtain, scopes }, options))
    },
    async callAs(user, chain) {
      const scopes = chain.scopes.length > 0 ? chain.scopes : needed
      const subject = subjectNames[user](recorder.name)
      parts.users.add(subject)
      const obtain: SignIn['obtain'] = (requested) => tokens.authorize(chain, requested, subject)
      const token = await lendSlot(callSignedIn({ recorder, callers, obtain, scopes, subject }))
      noteUsers()
      return token
    },
    async callAtOnce({ one, another }) {
      const six = Array.from({ length: 3 }).flatMap(() => [
        { token: one, subject: subjectNames.one(recorder.name) },
        { token: another, subject: subjectNames.another(recorder.name) },
      ])
      const made = six.map(async ({ token, subject }) => {
        const call = await callers.call({ token })
        recorder.record({ type: 'step', action: 'signed-in', call, detail: { subject } })
      })
      await lendSlot(Promise.all(made))
      noteUsers()
    },
    async callForAWhile(chain, lifetime) {
      const { scopes } = lackingNothing(chain)
      const obtain: SignIn['obtain'] = (requested) => tokens.opaque(chain, requested, lifetime)
      const token = await lendSlot(callSignedIn({ recorder, callers, obtain, scopes }))
      if (!servedResult(callOf(recorder.transcript(), retried)))
        throw new NotOffered('it serves nobody for an opaque token')
      return token
    },
    tokenToMisplace: (chain) => tokens.misplaced(lackingNothing(chain)),
    unseenTokens: (chain) => tokens.unseen(lackingNothing(chain)),
    impostor: (imposture) => lendSlot(prepareImpostor(imposture, { recorder, deployment })),
    async needsImpostorLeft() {
      const left = (t: Transcript) => t.steps('connection-unused')[0]
      if (!(await recorder.waitFor(left, run.timing.observeMs, run.signal)))
        throw new NotOffered('the authorization server was asked for nothing')
    },
    async idle(ms) {
      await lendSlot(delay(ms, undefined, { signal: run.signal }).catch(() => undefined))
    },
    needsName(call) {
      const result = servedResult(callOf(recorder.transcript(), call))
      if (!JSON.stringify(result ?? {}).includes('subject-of-'))
        throw new NotOffered('the result of the tool names no account')
    },
    needsOwnName(call) {
      if (!namesItsUser(recorder.transcript(), call))
        throw new NotOffered('the result of the tool does not name the account as its token does')
    },
    async authorizeLess(chain) {
      if (chain.challenged.length + needed.length === 0)
        throw new NotOffered('neither the challenge nor declares.scopes says what the tool needs')
      const scopes = lackingScopes(needed, chain.challenged)
      recorder.record({ type: 'step', action: 'token-lacks', detail: { scopes } })
      return tokens.authorize(chain, scopes)
    },
    callFlawed(form, chain, options) {
      const { scopes } = lackingNothing(chain)
      const obtain: SignIn['obtain'] = (requested) => tokens.flawed(form, chain, requested)
      return lendSlot(callSignedIn({ recorder, callers, obtain, scopes }, options))
    },
    tokensForSimilar: (chain) => tokens.forSimilar(lackingNothing(chain)),
    alter: (token, chain) => tokens.alter(token, chain),
    cookies: () => cookiesOf(recorder.transcript(), endpoint),
    async ownInstance(issuerFaults) {
      const options = { name: `own-${recorder.name}`, log: recorder, issuerFaults }
      const own = await lendSlot(deployments.openAlone(options, context)).catch(
        (error: unknown) => {
          if (!(error instanceof Unreachable)) throw error
          throw new NotOffered(
            `with ${issuerFaults.join(', ')} it does not start: ${error.message}`,
          )
        },
      )
      own.provider.registerClient({ clientId: mcpClientId, redirectUris: [redirectUri] })
      return makeFixtures({
        ...parts,
        deployment: own,
        endpoint: endpointOf(own, configuration.target),
      })
    },
    async recordOutputFiles() {
      await context.others()
      await recordOutputFiles(recorder, run, deployments.surroundings, configuration.declares)
    },
  }
}
