/**
 * `npm run docs`: makes a static site of the pages of this repository, in site/dist/. VitePress is fetched for it; what it
 * finds wrong, a link that leads nowhere included, ends the build. SITE_BASE is the path that the site is served under.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { profiles } from '../../suites/registry.ts'
import { pageOf, withSiteLinks } from './links.ts'
import { profilePage, profileText } from './profile-page.ts'
import { siteConfiguration } from './site-configuration.ts'

const vitepress = 'vitepress@1.6.4'
const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'site/source')

/** Fixtures of tests, and what only its neighbours refer to, are no pages. */
const isPage = (path: string): boolean =>
  path.endsWith('.md') && !/^tests\/|\/fixtures\/|^\.ci\//.test(path)

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const pages = new Set(tracked.filter(isPage))
const folders = new Set(tracked.flatMap(foldersOf))
/** Folders without a README to which a page leads: they get a list of what is in them. */
const listed = new Set<string>()

rmSync(join(root, 'site'), { recursive: true, force: true })
for (const page of pages) {
  write(pageOf(page), withSiteLinks(page, readFileSync(join(root, page), 'utf8'), { pages, folders: watched(), file }))
}
for (const folder of listed) write(`${folder}/index.md`, listOf(folder))
for (const profile of profiles) {
  const { about, guide } = readmeRow(profile.id)
  write(profilePage(profile), profileText(profile, guide, about))
}
write('.vitepress/config.mjs', siteConfiguration(profiles))

const build = ['exec', '--yes', `--package=${vitepress}`, '--', 'vitepress', 'build', source]
const { status, stdout, stderr } = spawnSync('npm', build, { cwd: root, encoding: 'utf8' })
const output = `${stdout}${stderr}`.replaceAll(/^npm warn .*\n/gm, '')
process.stdout.write(output)
const complaints = output.split('\n').filter((line) => /\bwarn|dead link|\(!\)/i.test(line))
if (status !== 0 || complaints.length > 0) process.exitCode = 1
else process.stdout.write(`the site is in ${posix.join('site', 'dist')}\n`)

function foldersOf(path: string): string[] {
  const above = posix.dirname(path)
  return above === '.' ? [] : [above, ...foldersOf(above)]
}

/** The folders, which remembers those that are asked for. */
function watched(): ReadonlySet<string> {
  return new Proxy(folders, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== 'has') return member
      return (folder: string) => target.has(folder) && listed.add(folder).has(folder)
    },
  })
}

/** Puts a file that is no page beside the pages, as text that a browser shows. */
function file(path: string): string {
  if (!existsSync(join(root, path))) throw new Error(`a page leads to ${path}, which is not there`)
  const name = /\.(png|svg|json|txt)$/.test(path) ? path : `${path}.txt`
  const target = join(source, 'public/files', name)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, path), target)
  return `/files/${name}`
}

function listOf(folder: string): string {
  const inside = tracked.filter((path) => posix.dirname(path) === folder)
  const rows = inside.map((path) => {
    const url = pages.has(path) ? `/${pageOf(path)}` : file(path)
    return `- [${titleOf(path)}](${url})`
  })
  return [`# ${folder}`, '', ...rows, ''].join('\n')
}

function titleOf(path: string): string {
  const heading = pages.has(path) && /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1]
  return heading || posix.basename(path)
}

/** What the table of profiles in the README says of one. */
function readmeRow(id: string) {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const row = text.split('\n').find((line) => line.startsWith(`| \`${id}\``)) ?? ''
  const [, , about = '', how = ''] = row.split('|')
  const guide = /\]\(([^)]+)\)/.exec(how)?.[1]
  if (guide === undefined) throw new Error(`README.md has no row for ${id}`)
  return { about: about.trim(), guide }
}

function write(path: string, text: string): void {
  const target = join(source, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
