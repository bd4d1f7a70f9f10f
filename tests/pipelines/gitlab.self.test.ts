/** The documented pipeline of GitLab, exactly as written. */

import { test } from 'vitest'
import { expectCertified, patience, pipelineProject } from './project.ts'
import { runGitlab } from './runners.ts'

const project = pipelineProject()

test(
  'docs/ci/gitlab-ci.yml',
  async () => {
    const ended = await runGitlab(project.folder, project.env)
    expectCertified(ended, ['conformance', 'conformance-gate'], 'merged')
  },
  patience,
)
