/** How VitePress shows the site: navigation, search, and anchors as the repository's links have them. */

import type { AnyProfile } from '../../harness/engine/index.ts'
import { profilePage } from './profile-page.ts'

type Item = readonly [text: string, link: string]

const sections: readonly (readonly [title: string, items: readonly Item[]])[] = [
  [
    'Use it',
    [
      ['Configuration', '/docs/configuration'],
      ['Commands', '/docs/commands'],
      ['Reports', '/docs/reports'],
      ['In a pipeline', '/docs/ci'],
      ['Signed results', '/docs/self-certification'],
      ['As it is: real names, moved clocks', '/docs/certify-as-it-is'],
      ['Adapters', '/docs/adapters'],
      ['Questions', '/docs/faq'],
      ['Troubleshooting', '/docs/troubleshooting'],
    ],
  ],
  [
    'The provider alone',
    [
      ['Mock provider', '/docs/mock-provider'],
      ['Its faults', '/docs/mock-provider-faults'],
      ['Its presets', '/docs/mock-provider-presets'],
      ['OpenID Connect', '/docs/mock-provider-openid'],
    ],
  ],
  [
    'Why believe it',
    [
      ['How we know', '/docs/how-we-know'],
      ['Public implementations', '/docs/implementations/'],
      ['Requirements', '/docs/requirements'],
      ['Readings', '/docs/readings'],
      ['Kill matrix', '/docs/kill-matrix'],
      ['Mutation testing', '/docs/mutation-testing'],
      ['Decisions', '/docs/decisions/'],
    ],
  ],
  [
    'Work on it',
    [
      ['Architecture', '/docs/architecture'],
      ['Contributing', '/CONTRIBUTING'],
      ['Security', '/SECURITY'],
      ['Changes', '/CHANGELOG'],
    ],
  ],
]

/** The text of VitePress's configuration file. */
export function siteConfiguration(profiles: readonly AnyProfile[]): string {
  const ofProfiles = profiles.map((profile): Item => [profile.id, `/${profilePage(profile).replace('.md', '')}`])
  const sidebar = [['Profiles', ofProfiles] as const, ...sections].map(([text, items]) => ({
    text,
    collapsed: false,
    items: items.map(([name, link]) => ({ text: name, link })),
  }))
  const settings = {
    title: 'Agent OAuth conformance',
    description: 'Certifies how agent software hands OAuth authorizations to people and back',
    lang: 'en',
    base: process.env['SITE_BASE'] ?? '/',
    outDir: '../dist',
    metaChunk: true,
    // The generator's grey for the language of a block is too light to read.
    head: [['style', {}, '.vp-doc [class*=language-] > span.lang { color: var(--vp-c-text-1) }']],
    vite: { build: { chunkSizeWarningLimit: 10_000 } },
    themeConfig: {
      nav: [
        { text: 'Certify yours', link: '/#profiles' },
        { text: 'Only the provider', link: '/docs/mock-provider' },
        { text: "Judge somebody's", link: '/docs/implementations/' },
      ],
      sidebar,
      outline: { level: [2, 2] },
      search: { provider: 'local' },
    },
  }
  const slugify = `(text) => text.toLowerCase().replaceAll(/[^\\p{L}\\p{N}\\s_-]/gu, '').replaceAll(' ', '-')`
  return `export default {
  ...${JSON.stringify(settings, null, 2)},
  // What stands in angle brackets or in two braces is text, and no component.
  markdown: { html: false, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' }, anchor: { slugify: ${slugify} }, config: (md) => md.renderer.rules.text = (tokens, index) =>
    md.utils.escapeHtml(tokens[index].content).replaceAll('{{', '&#123;&#123;') },
}
`
}
