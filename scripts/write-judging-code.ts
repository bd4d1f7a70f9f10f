/** Leaves the digest of the judging code in `dist/`, where `reports/record/judging-code.ts` looks for it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { digestJudgingCode, judgingCodeFile } from '../reports/record/judging-code.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(join(root, 'dist', judgingCodeFile), `${JSON.stringify(digestJudgingCode(root))}\n`)
