/** ADK's credential requests. Each dialect has a document of its own; a row cites those that say it. */

import type { Specification, SpecificationPage } from '../../harness/engine/index.ts'

const page = (url: string, headings: readonly string[]): SpecificationPage => ({ url, headings })

export const specification: Specification = {
  title: 'ADK credential requests',
  revision: "Google's pages as of November 2026 (calls), adk-rs 0.6 (responses)",
  published: 'https://google.github.io/adk-docs/tools-custom/authentication/',
  pages: {
    'ADK Authentication': page('https://google.github.io/adk-docs/tools-custom/authentication/', [
      'Self-managed authentication',
      'In-memory secrets',
      'Framework components',
      'Build agentic applications with authenticated tools',
      'Handle the interactive OAuth/OIDC flow (client-side)',
      'Authentication Logic within the Tool Function',
    ]),
    'adk-rs Authenticated tools': page('https://docs.rs/adk-rs/0.6.0/adk_rs/auth/', [
      'The type layer',
      'Credential storage',
      'The resolution pipeline',
      'OAuth2 sketch',
    ]),
  },
}
