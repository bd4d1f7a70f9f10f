/** A trust store for Java in its old form, JKS, which every JDK reads and which is made without any tool. */

import { createHash, X509Certificate } from 'node:crypto'

const password = 'changeit'

/** The store with one certificate (PEM) that is trusted. */
export function javaTrustStore(pem: string): Buffer {
  const der = new X509Certificate(pem).raw
  const store = Buffer.concat([
    words(0xfeedfeed, 2, 1),
    // A trusted certificate, its alias, the date of its entry, its form.
    words(2),
    text('conformance'),
    Buffer.alloc(8),
    text('X.509'),
    words(der.length),
    der,
  ])
  const digest = createHash('sha1')
    .update(Buffer.from(password, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(store)
    .digest()
  return Buffer.concat([store, digest])
}

/** What makes a JVM trust it; an option of its own command line wins. */
export function javaTrustOptions(file: string): Readonly<Record<string, string>> {
  const options = { trustStore: file, trustStoreType: 'JKS', trustStorePassword: password }
  // The JVM splits its options at blanks that are not in quotes.
  const all = Object.entries(options).map(
    ([name, value]) => `-Djavax.net.ssl.${name}=${/\s/.test(value) ? `"${value}"` : value}`,
  )
  return { JAVA_TOOL_OPTIONS: all.join(' ') }
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => buffer.writeUInt32BE(value, 4 * index))
  return buffer
}

/** As Java writes a string: its length in two bytes first. */
function text(value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(value.length)
  return Buffer.concat([length, Buffer.from(value, 'ascii')])
}
