/** Reports: the run record and the views of it. */

export * from './baseline.ts'
export { buildRunRecord, type RunParts, type UnfinishedRecord } from './build-run-record.ts'
export { canonicalJson, catalogueDigest, sha256, type Catalogue } from './catalogue.ts'
export { attestationFile, BundleError, digestBundle } from './certification/bundle.ts'
export { certificationObserveMs, notCertifiable, validDays } from './certification/certification.ts'
export { signEnvelope } from './certification/dsse.ts'
export * from './certification/keys.ts'
export {
  artifactsOf,
  certificationType,
  makeStatement,
  payloadType,
} from './certification/statement.ts'
export { verifyBundle, type Verified } from './certification/verify.ts'
export { compareRuns, type Comparison } from './compare/comparison.ts'
export { comparisonPages } from './compare/comparison-html.ts'
export { comparisonMarkdown } from './compare/comparison-md.ts'
export { curlLine, stimulusOf } from './curl.ts'
export { evidenceLines, findEvent, type Transcripts } from './evidence.ts'
export { findingsByKey } from './finding-key.ts'
export { findingLines, findingText, type RequirementText } from './finding-text.ts'
export { formatIds, formatNames, type FormatId } from './format-names.ts'
export { renderers } from './formats.ts'
export { headline, verdictWord } from './headline.ts'
export { transcriptLines } from './join-recordings.ts'
export { junitXml } from './junit.ts'
export { mergeShards, type Merged, type StoredShard } from './merge-shards.ts'
export { readResults, resultsJson, writeAtomically } from './results-json.ts'
export { rejudge, type Rejudged } from './rejudge.ts'
export * from './run-record.ts'
export { readStoredRun, transcriptFile, transcriptFolder, type StoredRun } from './stored-run.ts'
export { countVerdicts, summarizeRequirements, worstVerdict } from './summarize.ts'
export { escapeXml } from './xml.ts'
