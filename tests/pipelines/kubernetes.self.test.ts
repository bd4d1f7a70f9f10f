/** The documented Jobs of Kubernetes, in an image that has the package, exactly as written. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectCertified, patience, pipelineProject } from './project.ts'
import { runKubernetes, shell, writeProject } from './runners.ts'

const project = pipelineProject()

test(
  'docs/ci/kubernetes-job.yaml',
  async () => {
    const image = writeProject({ 'package.json': '{}' })
    const installed = await shell(['npm', 'install', 'agent-oauth-conformance'], image, project.env)
    expect(installed.code, installed.output).toBe(0)
    const bin = join(image, 'node_modules/.bin')
    const ended = await runKubernetes(project.folder, bin, project.env)
    expectCertified(ended, ['oauth-conformance', 'oauth-conformance-gate'], 'results/merged')
  },
  patience,
)
