/** The harness: everything that plays the parties around an implementation, records and judges. */

export * from './callback-receiver.ts'
export * from './configuration.ts'
export * from './event.ts'
export { fill, TemplateError, type Placeholders } from './drivers/template.ts'
export { freePort } from './free-port.ts'
export { networkTransport } from './http.ts'
export { HttpFailure, bodyLimit, type HttpResponse, type Transport } from './http.ts'
export * from './adapter/adapter.ts'
export * from './adapter/protocol.ts'
export {
  inherited,
  startImplementation,
  Unreachable,
  type Implementation,
} from './implementation.ts'
export { judgeRecorded, type RecordedRun } from './judge-recorded.ts'
export {
  findScenario,
  type AnyProfile,
  type Profile,
  type ScenarioContext,
  type Theatre,
} from './profile.ts'
export { Recorder } from './recorder.ts'
export { newRunId, runLog, type Run } from './run.ts'
export * from './scenario.ts'
export { sensitiveName } from './secrets/environment.ts'
export { SecretLedger } from './secrets/ledger.ts'
export {
  notTried,
  openSession,
  type HarnessFailure,
  type Session,
  type SessionOptions,
} from './session.ts'
export {
  openStage,
  prepareSurroundings,
  type Stage,
  type StageOptions,
  type Surroundings,
} from './stage.ts'
export { printable } from './text.ts'
export { parseTranscript, TranscriptError } from './stored-transcript.ts'
export * from './transcript.ts'
export * from './user-agent.ts'
export * from './verdict.ts'
export * from './fake-toolset.ts'
export * from './scripted-model/index.ts'
export { needlesOf } from './secrets/encodings.ts'
export { watchPolled } from './surfaces/poll.ts'
export { watchServerSentEvents } from './surfaces/server-sent-events.ts'
export type { Sighted, Watch } from './surfaces/surface.ts'
export { watchWebSocket } from './surfaces/web-socket.ts'
export { startWebhook, type Webhook } from './surfaces/webhook.ts'
export { Slots } from './slots.ts'
