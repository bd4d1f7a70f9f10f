/** Reports: the run record and the views of it. */

export * from './record/baseline.ts'
export { buildRunRecord, type RunParts, type UnfinishedRecord } from './record/build-run-record.ts'
export { canonicalJson, catalogueDigest, sha256, type Catalogue } from './record/catalogue.ts'
export {
  attestationFile,
  BundleError,
  digestBundle,
  timeStampFile,
} from './certification/bundle.ts'
export { certificationTiming, notCertifiable, validDays } from './certification/certification.ts'
export { contradictions } from './certification/contradictions.ts'
export { certifiedSettings } from './certification/settings.ts'
export { signEnvelope } from './certification/dsse.ts'
export * from './certification/keys.ts'
export {
  artifactsOf,
  certificationType,
  makeStatement,
  payloadType,
} from './certification/statement.ts'
export {
  appendEntry,
  largestRegister,
  readRegister,
  type RegisterEntry,
} from './certification/register.ts'
export { standingOf } from './certification/standing.ts'
export {
  largestTimeStamp,
  statedTime,
  timeStampQuery,
  verifyTimeStamp,
  type TimeStamp,
} from './certification/time-stamp.ts'
export { verifyBundle, type Verified } from './certification/verify.ts'
export { agreementOf, type Agreement } from './compare/agreement.ts'
export { compareRuns, type Comparison } from './compare/comparison.ts'
export { comparisonPages } from './compare/comparison-html.ts'
export { comparisonMarkdown } from './compare/comparison-md.ts'
export { curlLine, stimulusOf } from './views/curl.ts'
export { evidenceLines, findEvent, type Transcripts } from './views/evidence.ts'
export { findingsByKey } from './record/finding-key.ts'
export { findingLines, findingText } from './views/finding-text.ts'
export { formatIds, formatNames, type FormatId } from './views/format-names.ts'
export { renderers } from './views/formats.ts'
export { headline, verdictWord } from './views/headline.ts'
export { transcriptLines } from './record/join-recordings.ts'
export { junitXml } from './views/junit.ts'
export { mergeShards, type Merged, type StoredShard } from './record/merge-shards.ts'
export { told, type Problem, type Told, type Unjudged } from './record/root-causes.ts'
export { slownessNote } from './record/slowness.ts'
export { keptFact, leftRunningFact } from './views/repeatable.ts'
export { readResults, resultsJson, writeAtomically } from './views/results-json.ts'
export { rejudge, type Rejudged } from './record/rejudge.ts'
export * from './record/run-record.ts'
export {
  readStoredRun,
  transcriptFile,
  transcriptFolder,
  type StoredRun,
} from './record/stored-run.ts'
export { countVerdicts, summarizeRequirements, worstVerdict } from './record/summarize.ts'
export { escapeXml } from './views/xml.ts'
