/** The documented workflow of GitHub, with `action.yml`, exactly as written. */

import { test } from 'vitest'
import { expectCertified, patience, pipelineProject } from './project.ts'
import { runGithub } from './runners.ts'

const project = pipelineProject()

test(
  'docs/ci/github-workflow.yml, with action.yml',
  async () => {
    const ended = await runGithub(project.folder, project.env)
    expectCertified(ended, ['shard', 'gate'], 'merged')
  },
  patience,
)
