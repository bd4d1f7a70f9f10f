/** Everything around one instance of the implementation: its provider, how it is reached, its life. */

import type { AuthorizationHandle, FaultSpec, MockProvider } from '../../../mock-provider/index.ts'
import type { OpenOptions } from '../../engine/profile.ts'
import type { Recorder } from '../../engine/recording/recorder.ts'
import type { CallbackReceiver } from '../callback-receiver.ts'
import type { MovedClock } from '../clock/moved-clock.ts'
import type { ProviderConfiguration } from '../provider-settings.ts'
import type { TargetConfiguration } from '../target-settings.ts'
import type { Transport } from '../http.ts'
import type {
  Implementation,
  ProtocolLines,
  StartOptions,
} from '../implementation/implementation.ts'
import type { Placeholders } from '../implementation/template.ts'
import type { Imposture } from '../provider/impostor.ts'
import type { ProviderRecorder } from '../provider/provider-recorder.ts'
import type { StreamingTransport } from '../streaming.ts'

export interface DeploymentConfiguration {
  readonly target: TargetConfiguration
  readonly provider: ProviderConfiguration
  /** Folder against which relative paths are resolved. */
  readonly base: string
  /** Further placeholders for command and environment. */
  readonly placeholders: Placeholders
  /** The placeholder of the implementation's own URL. */
  readonly urlAs: string
  /** Whether nothing runs at first, and every client starts an instance of its own: {@link Deployment.start}. */
  readonly startedByClients?: boolean | undefined
  /** Whether these are applications on this machine, whose redirect URIs are any of the loopback interface (RFC 8252 §7.3). */
  readonly native?: boolean | undefined
  /** Whether an instance accepts connections; default: it does. */
  readonly listens?: boolean | undefined
  /** How many redirect URIs an instance may have of its own; default: one. */
  readonly redirectUris?: number | undefined
  /** Whether its users log in by the provider, which issues ID tokens then. */
  readonly logsIn?: boolean | undefined
}

/** An instance of the implementation with the provider and the callback receiver around it. */
export interface Deployment {
  readonly name: string
  readonly issuer: string
  readonly implementation: Implementation
  readonly transport: Transport
  /** For answers that are read as they come; not inside this process. */
  readonly streaming: StreamingTransport
  readonly receiver: CallbackReceiver
  readonly records: ProviderRecorder
  /** Every origin of the implementation, with the origin under which it is reached. */
  readonly origins: ReadonlyMap<string, string>
  readonly authorization: (id: string) => AuthorizationHandle | undefined
  /** Where the harness itself is a client of the provider, for an API that is not the provider's own. */
  readonly provider: Pick<MockProvider, 'registerClient' | 'addAudience'>
  /**
   * Somebody who has not the certificate of the provider, and answers in its place from when that is called. Tells of each
   * connection that ends without a request. Not inside this process.
   */
  readonly impostor: (imposture: Imposture, onUnused: () => void) => Promise<() => void>
  /** A token of the provider that no flow was needed for. */
  readonly issueToken: MockProvider['issueToken']
  /** What an implementation is told of its surroundings, whoever starts it. */
  readonly placeholders: Placeholders
  /** What its environment has to hold for that, beside what is configured. */
  readonly additions: NonNullable<StartOptions['additions']>
  /** Takes a URL for the implementation's own, where it was started by somebody else. */
  readonly learn: (url: string) => void
  /** Starts one more instance, whose standard input and output are its client's. @throws Unreachable */
  readonly start: (name: string, protocol: ProtocolLines) => Promise<Implementation>
  readonly release: () => void
  readonly close: () => Promise<void>
}

/** How the surroundings of one instance differ from those of others. */
export interface DeploymentOptions {
  /** `shared`, or the name of an instance that one scenario has for itself. */
  readonly name: string
  /** Takes what the provider sees and no scenario can be told for. */
  readonly log: Recorder
  /** Switched on before the implementation starts. */
  readonly issuerFaults?: readonly FaultSpec[]
  /** What the issuer of the provider has after its origin; default: nothing. Not inside this process. */
  readonly issuerPath?: string | undefined
  /** What the instance and its provider take for the time; default: that of this machine. */
  readonly clock?: MovedClock | undefined
  /** Called when the provider can be reached, before the implementation is started or waited for. */
  readonly onPeer?: OpenOptions<unknown>['onPeer']
}
