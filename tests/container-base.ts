/** A base image made of what is on this machine, for tests that build images where no image registry is in reach. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs buildah with a storage of its own. */
export function buildahIn(storage: string) {
  const where = ['--storage-driver', 'vfs', '--root', join(storage, 'root')]
  return (...args: readonly string[]) =>
    execFileSync('buildah', [...where, '--runroot', join(storage, 'run'), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
}

/** Fills a folder with a root file system that has node, npm and a shell, and a recipe that copies it. */
export function writeBase(folder: string): void {
  const root = join(folder, 'rootfs')
  const npm = dirname(
    dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())),
  )
  const programs: Readonly<Record<string, string>> = {
    'usr/bin/node': process.execPath,
    'bin/sh': realpathSync('/bin/sh'),
    'usr/bin/env': '/usr/bin/env',
  }
  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(realpathSync(from), join(root, to), { recursive: true })
  }
  for (const [place, program] of Object.entries(programs)) {
    copy(program, place)
    for (const library of librariesOf(program)) copy(library, library)
  }
  copy(npm, 'usr/lib/node_modules/npm')
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'))
  const authorities = process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt'
  copy(authorities, 'etc/ssl/certs/ca-certificates.crt')
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 })
  const environment = 'PATH=/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  const recipe = `FROM scratch\nCOPY rootfs /\nENV ${environment}\n`
  writeFileSync(join(folder, 'Containerfile'), recipe)
}

function librariesOf(program: string): readonly string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!)
}
