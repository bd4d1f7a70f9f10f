/** A package registry on this machine that publishes what was packed here; whatever else is asked, it knows elsewhere. */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scratch } from './run-cli.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

interface Manifest {
  readonly name: string
  readonly version: string
}

export interface LocalRegistry {
  /** For programs that are to install from it. */
  readonly env: Readonly<Record<string, string>>
  readonly close: () => void
}

/** Packs a folder of the repository as a release would. */
async function pack(folder = '.'): Promise<string> {
  const into = scratch()
  const args = ['pack', folder, '--ignore-scripts', '--json', '--pack-destination', into]
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  const [packed] = JSON.parse(stdout) as { readonly filename: string }[]
  return join(into, packed?.filename ?? '')
}

/** Publishes the packed folder under its own name, so that what a page tells people to install can be installed. */
export async function publishLocally(folder = '.'): Promise<LocalRegistry> {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
  const tarball = readFileSync(await pack(folder))
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: root })
  const elsewhere = stdout.trim()
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url === `/${manifest.name}.tgz`) response.end(tarball)
    else if (url === `/${manifest.name}`) response.end(JSON.stringify(packument()))
    else response.writeHead(302, { location: new URL(url.slice(1), elsewhere).href }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  function packument(): object {
    const { name, version } = manifest
    const dist = { tarball: `${address}${name}.tgz`, integrity }
    return {
      name,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    }
  }

  // `npx` takes what it once installed by a version for whatever has that version.
  const own = { npm_config_registry: address, npm_config_cache: scratch() }
  return { env: own, close: () => void server.close() }
}
