/** What the environment of a program holds that the harness starts: that of the harness, and whom to trust. */

import { writeFileSync } from 'node:fs'
import { javaTrustOptions, javaTrustStore } from '../provider/java-trust.ts'
import { withAdditions } from './preloaded.ts'

/** The environment of the harness, without a proxy for the loopback interface. */
export function inherited(): Record<string, string> {
  const noProxy = ['127.0.0.1', 'localhost', process.env['NO_PROXY'] ?? '']
    .filter(Boolean)
    .join(',')
  const env = { ...process.env, NO_PROXY: noProxy, no_proxy: noProxy }
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Writes the authority of a run to a file, and beside it as Java reads it. */
export function writeAuthority(caFile: string, pem: string): void {
  writeFileSync(caFile, pem)
  writeFileSync(storeBeside(caFile), javaTrustStore(pem))
}

const storeBeside = (caFile: string): string => `${caFile}.jks`

/** Makes the common stacks trust the run's authority: Node, OpenSSL and Go, Python requests, curl, Deno, Java. */
export function trust(caFile: string): Record<string, string> {
  if (caFile === '') return {}
  return {
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    CURL_CA_BUNDLE: caFile,
    DENO_CERT: caFile,
    ...withAdditions(javaOptions(), javaTrustOptions(storeBeside(caFile))),
  }
}

/** The options that a JVM finds anyway. */
function javaOptions(): Record<string, string> {
  const options = process.env['JAVA_TOOL_OPTIONS']
  return options === undefined ? {} : { JAVA_TOOL_OPTIONS: options }
}
