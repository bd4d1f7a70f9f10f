/** navikt's mock-oauth2-server comes from Maven, where there is one. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = new URL('../../../', import.meta.url)
/** What `java -cp @FILE` reads. */
export const classPathFile = fileURLToPath(new URL('bench/dist/java-class-path', root))

/** Fetches the server and what it needs; tells whether that was possible. */
export function prepareJava(): boolean {
  const pom = fileURLToPath(new URL('bench/java/pom.xml', root))
  const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${classPathFile}`]
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
    execFileSync('mvn', ['-q', '-B', '-f', pom, ...goal], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
