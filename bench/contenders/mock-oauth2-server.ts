/** navikt's mock-oauth2-server, a program of Java: started as its container starts it, and watched from outside. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { freePort } from '../../harness/parties/free-port.ts'
import { classPathFile } from '../java.ts'
import { report } from '../serve.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}/default`
const settings = {
  interactiveLogin: false,
  httpServer: 'NettyWrapper',
  tokenProvider: { keyProvider: { algorithm: 'ES256' } },
}
const main = 'no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt'
const java = spawn('java', ['-cp', readFileSync(classPathFile, 'utf8').trim(), main], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, SERVER_PORT: String(port), JSON_CONFIG: JSON.stringify(settings) },
})
process.once('SIGTERM', () => {
  java.kill()
  process.exit()
})

const answers = () =>
  fetch(`${issuer}/jwks`).then(
    ({ ok }) => ok,
    () => false,
  )
while (java.exitCode === null && !(await answers())) await after(5)

const file = (name: string) => readFileSync(`/proc/${java.pid}/${name}`, 'utf8')
report(
  {
    discovery: `${issuer}/.well-known/openid-configuration`,
    jwks: `${issuer}/jwks`,
    authorize: `${issuer}/authorize`,
    token: `${issuer}/token`,
  },
  {
    cpu() {
      // after the name, which may contain spaces: fields 14 and 15 of proc(5), in hundredths of a second
      const fields = file('stat').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    memory() {
      const jcmd = (command: string) =>
        execFileSync('jcmd', [String(java.pid), command], { encoding: 'utf8' })
      jcmd('GC.run')
      const used = /heap +total \d+K, used (\d+)K/.exec(jcmd('GC.heap_info'))
      const resident = /^VmRSS:\s+(\d+) kB/m.exec(file('status'))
      return { heap: Number(used?.[1]) * 1024, resident: Number(resident?.[1]) * 1024 }
    },
  },
)
