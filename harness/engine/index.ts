/** The engine: drives scenarios, records what is observed and judges the recordings; knows no protocol. */

export { alikeByChance, differences, randomPlaces } from './alike-by-chance.ts'
export { busyMachineStep } from './busy-machine.ts'
export * from './configuration.ts'
export { inPlainWords } from './plain-issue.ts'
export { diagramSchema, endsOf, stimuliOf, type Diagram, type DiagramChannel } from './diagram.ts'
export { timeIsUp, withDeadline } from './deadline.ts'
export { judgeRecorded, type RecordedRun } from './judging/judge-recorded.ts'
export { perTranscript } from './judging/per-transcript.ts'
export * from './judging/recorded.ts'
export * from './judging/verdict.ts'
export {
  findScenario,
  type AnyProfile,
  type Gate,
  type OffSlot,
  type OpenOptions,
  type Profile,
  type Reference,
  type ScenarioContext,
  type TestBed,
} from './profile.ts'
export * from './recording/event.ts'
export { lastPrinted } from './recording/last-printed.ts'
export { Recorder } from './recording/recorder.ts'
export { unreadKind, withDecodedSecrets, withoutSecretNames } from './recording/secrets/ledger.ts'
export { largestFile, readRegularBytes, readRegularFile } from './recording/run-files.ts'
export { sensitiveName } from './recording/secrets/environment.ts'
export { SecretLedger } from './recording/secrets/ledger.ts'
export { parseTranscript, storedForm, TranscriptError } from './recording/stored-transcript.ts'
export * from './recording/transcript.ts'
export { newRunId, runLog, type Run } from './run.ts'
export * from './scenario.ts'
export { oneAtATimeStep, notTried, type HarnessFailure } from './drives.ts'
export { drivenAgainStep } from './second-drives.ts'
export { openSession, type Session, type SessionOptions } from './session.ts'
export {
  linksOf,
  type SectionLink,
  type Specification,
  type SpecificationPage,
} from './specification.ts'
export { otherCase } from './other-case.ts'
export { anyName, madeOtherwise, namesFor, nonceShape, type NewName } from './names.ts'
export { ownTrouble } from './own-trouble.ts'
export { keepWaiting } from './keep-waiting.ts'
export { Patience } from './patience.ts'
export { Slots } from './slots.ts'
export { Starts } from './starts.ts'
export { isRecord, jsonIn, membersOf } from './json.ts'
export { printable, withoutEscapes } from './text.ts'
