/** Which languages find the mock provider under a real name, and trust it, without being told anything. */

import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { facilities, findLibrary } from '../harness/parties/facilities.ts'
import { inherited, trust, writeAuthority } from '../harness/parties/implementation/environment.ts'
import { withAdditions } from '../harness/parties/implementation/preloaded.ts'
import {
  proxyEnvironment,
  serveConnectProxy,
  type ConnectProxy,
} from '../harness/parties/provider/connect-proxy.ts'
import { hostsFile, namesEnvironment } from '../harness/parties/provider/local-names.ts'
import { placeOf, serveAt, type PlacedProvider } from '../harness/parties/provider/place.ts'
import { createAuthority } from '../mock-provider/index.ts'
import { scratch } from './run-cli.ts'

const url = 'https://github.com/.well-known/oauth-authorization-server'
const folder = scratch()
const library = findLibrary('libnss-wrapper')
const port = await facilities.find(({ name }) => name === 'port 443')?.find()
const isPossible = library !== undefined && port !== undefined

let provider: PlacedProvider | undefined
let proxy: ConnectProxy | undefined
afterAll(() => Promise.all([provider?.close(), proxy?.close()]))

/** The environment of a program that is started in a run; the provider is served when it is first asked for. */
async function environment(by: 'names' | 'proxy'): Promise<Record<string, string>> {
  const [ca, hosts] = [join(folder, 'ca.pem'), join(folder, 'hosts')]
  if (!provider) {
    const authority = await createAuthority()
    writeAuthority(ca, authority.caPem)
    const place = placeOf({ hostnames: ['github.com'], port: 0 })
    provider = await serveAt(place, { tls: await authority.issue(['github.com']) })
    const names = new Map([['github.com', provider.address]])
    writeFileSync(hosts, hostsFile(names))
    proxy = await serveConnectProxy(names)
  }
  const trusting = { ...inherited(), ...trust(ca) }
  if (by === 'names') return withAdditions(trusting, namesEnvironment(hosts, library))
  return { ...trusting, ...(proxy && proxyEnvironment(proxy)), NODE_USE_ENV_PROXY: '1' }
}

const file = (name: string, text: string): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const led = '"issuer":"https://github.com"'

const node = `fetch('${url}').then((r) => r.text()).then(console.log)`
const python = `import urllib.request; print(urllib.request.urlopen('${url}').read().decode())`
const java = `import java.net.*; import java.net.http.*;
public class Get { public static void main(String[] args) throws Exception {
  var request = HttpRequest.newBuilder(URI.create("${url}")).build();
  System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body());
} }`
const go = `package main
import ("fmt"; "io"; "net/http")
func main() {
  answer, err := http.Get("${url}")
  if err != nil { fmt.Println(err); return }
  body, _ := io.ReadAll(answer.Body); fmt.Println(string(body))
}`

function goProgram(cgo: '0' | '1'): string[] {
  const program = join(folder, `get-${cgo}`)
  const env = { ...process.env, CGO_ENABLED: cgo }
  execFileSync('go', ['build', '-o', program, file('get.go', go)], { env, stdio: 'pipe' })
  return [program]
}

/** What it prints, or how it ended. */
async function ask(
  [command = '', ...args]: readonly string[],
  by: 'names' | 'proxy' = 'names',
): Promise<string> {
  const env = await environment(by)
  return promisify(execFile)(command, args, { env, timeout: 60_000 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  )
}

const has = (command: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

test.runIf(isPossible).each<[string, boolean, () => string[]]>([
  ['Node', true, () => [process.execPath, '-e', node]],
  ['Python', has('python3', '--version'), () => ['python3', '-c', python]],
  ['curl', has('curl', '--version'), () => ['curl', '-s', url]],
  ['Java', has('javac', '-version'), () => ['java', file('Get.java', java)]],
  ['Go with cgo', has('go', 'version') && has('gcc', '--version'), () => goProgram('1')],
])('%s is led to the mock provider', async (_, isHere, command) => {
  if (isHere) expect(await ask(command())).toContain(led)
})

test.runIf(isPossible && has('go', 'version'))('a static program of Go is not', async () => {
  expect(await ask(goProgram('0'))).not.toContain(led)
})

const requests = `import requests; print(requests.get('${url}').text)`
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const nodeGoes = major > 24 || (major === 24 && minor >= 0) || (major === 22 && minor >= 21)

test.runIf(isPossible).each<[string, boolean, boolean, () => string[]]>([
  ['static Go', has('go', 'version'), true, () => goProgram('0')],
  ['Go with cgo', has('go', 'version') && has('gcc', '--version'), true, () => goProgram('1')],
  ['urllib of Python', has('python3', '--version'), true, () => ['python3', '-c', python]],
  ['requests', has('python3', '-c', 'import requests'), true, () => ['python3', '-c', requests]],
  ['curl', has('curl', '--version'), true, () => ['curl', '-s', url]],
  ['Java', has('javac', '-version'), false, () => ['java', file('Get.java', java)]],
  ['Node', true, nodeGoes, () => [process.execPath, '-e', node]],
])('by HTTPS_PROXY, %s', async (_, isHere, goes, command) => {
  if (isHere) expect((await ask(command(), 'proxy')).includes(led)).toBe(goes)
})
