/** Which languages find the mock provider under a real name, and trust it, without being told anything. */

import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { facilities, findLibrary } from '../harness/parties/facilities.ts'
import {
  inherited,
  trust,
  writeAuthority,
} from '../harness/parties/implementation/implementation.ts'
import { withAdditions } from '../harness/parties/implementation/preloaded.ts'
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
afterAll(() => provider?.close())

/** The environment of a program that is started in a run; the provider is served when it is first asked for. */
async function environment(): Promise<Record<string, string>> {
  const [ca, hosts] = [join(folder, 'ca.pem'), join(folder, 'hosts')]
  if (!provider) {
    const authority = await createAuthority()
    writeAuthority(ca, authority.caPem)
    const place = placeOf({ hostnames: ['github.com'], port: 0 })
    provider = await serveAt(place, { tls: await authority.issue(['github.com']) })
    writeFileSync(hosts, hostsFile(new Map([['github.com', provider.address]])))
  }
  return withAdditions({ ...inherited(), ...trust(ca) }, namesEnvironment(hosts, library))
}

const file = (name: string, text: string): string => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

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

/** What it prints; a toolchain that is missing is no answer. */
async function ask([command = '', ...args]: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { env: await environment() })
  return stdout
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
  if (isHere) expect(await ask(command())).toContain('"issuer":"https://github.com"')
})

test.runIf(isPossible && has('go', 'version'))('a static program of Go is not', async () => {
  expect(await ask(goProgram('0'))).not.toContain('"issuer":"https://github.com"')
})
