/** The parties: who surrounds an implementation, and how it is reached. */

export * from '../../mock-model/index.ts'
export {
  createAuthority,
  type ServerCertificate,
  serveMockProvider,
  type RunningProvider,
} from '../../mock-provider/index.ts'
export * from './callback-receiver.ts'
export * from './clock/jumps.ts'
export { MovedInstances, movedInstances } from './clock/moved-instances.ts'
export type { MovedClock } from './clock/moved-clock.ts'
export { requireOffered } from './facilities.ts'
export * from './configuration.ts'
export * from './provider-settings.ts'
export * from './target-settings.ts'
export type { Deployment, DeploymentOptions } from './deployment/deployment.ts'
export { Deployments } from './deployment/deployments.ts'
export { openDeployment } from './deployment/open.ts'
export { prepareSurroundings, type Surroundings } from './deployment/surroundings.ts'
export { freePort } from './free-port.ts'
export { startBrowserShims, type BrowserShims } from './host-user/browser-shims.ts'
export type { Sighted, Watch } from './host-user/surface.ts'
export { watchTalk, type SurfaceState } from './host-user/watched-surfaces.ts'
export { startWebhook, type Webhook } from './host-user/webhook.ts'
export {
  bodyLimit,
  HttpFailure,
  networkTransport,
  type HttpResponse,
  type Transport,
} from './http.ts'
export type { Imposture } from './provider/impostor.ts'
export { recordProvider, type ProviderRecorder } from './provider/provider-recorder.ts'
export { ModelScript, type PlannedTool } from './model-script.ts'
export * from './pausing/pausing-framework.ts'
export { openUnknownProvider, type UnknownProvider } from './provider/unknown-provider.ts'
export { answerHalfClosed, serverOptions } from './server-options.ts'
export * from './implementation/adapter/adapter.ts'
export { carryOut, startAdapted } from './implementation/adapter/carry-out.ts'
export { launchAdapter } from './implementation/adapter/launch.ts'
export * from './implementation/adapter/protocol.ts'
export { inherited, trust, writeAuthority } from './implementation/environment.ts'
export { startImplementation, type Implementation } from './implementation/implementation.ts'
export { outlivers } from './implementation/process.ts'
export { fill, TemplateError, type Placeholders } from './implementation/template.ts'
export { tamper } from './user/tamper.ts'
export * from './user/user-agent.ts'
