/** Reports: the run record and the views of it. */

export { buildRunRecord, type RunParts, type UnfinishedRecord } from './build-run-record.ts'
export { canonicalJson, catalogueDigest, sha256, type Catalogue } from './catalogue.ts'
export { curlLine, stimulusOf } from './curl.ts'
export { evidenceLines, findEvent, type Transcripts } from './evidence.ts'
export { findingLines, findingText, type RequirementText } from './finding-text.ts'
export { junitXml } from './junit.ts'
export { readResults, resultsJson, writeAtomically } from './results-json.ts'
export * from './run-record.ts'
export { countVerdicts, summarizeRequirements, worstVerdict } from './summarize.ts'
export { escapeXml } from './xml.ts'
