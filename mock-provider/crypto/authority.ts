/** A certificate authority made for one run; it lives in memory and writes nothing to disk. */
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** A certificate authority. */
export interface Authority {
  /** The certificate that clients have to trust. */
  readonly caPem: string
  /** The private key of the authority, PEM, PKCS #8; for callers who keep it. */
  readonly keyPem: string
  /** Issues a server certificate for host names and IP addresses, and for this machine unless told otherwise. */
  issue(hosts: readonly string[], options?: IssueOptions): Promise<ServerCertificate>
}

/** What else a certificate is for. */
export interface IssueOptions {
  /** Whether it is also for `localhost` and its addresses; default: it is. */
  readonly local?: boolean | undefined
}

/** A certificate of a server with its private key. */
export interface ServerCertificate {
  /** PEM. */
  readonly cert: string
  /** PEM, PKCS #8. */
  readonly key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

const localHosts: readonly string[] = ['localhost', '127.0.0.1', '::1']

const day = 24 * 3600 * 1000

/**
 * Creates an authority whose certificates strict verifiers accept (RFC 5280, with the key identifiers
 * that OpenSSL's strict mode and Python 3.13 demand).
 */
export async function createAuthority(kept?: AuthorityMaterial): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto)
  return authorityOf(kept ? await reopen(kept) : await selfSign())
}

/** What is needed to go on with an authority that was made before. */
export type AuthorityMaterial = Pick<Authority, 'caPem' | 'keyPem'>

interface Root {
  readonly certificate: x509.X509Certificate
  readonly privateKey: webcrypto.CryptoKey
  readonly publicKey: webcrypto.CryptoKey
}

async function reopen({ caPem, keyPem }: AuthorityMaterial): Promise<Root> {
  const certificate = new x509.X509Certificate(caPem)
  const pkcs8 = x509.PemConverter.decodeFirst(keyPem)
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])
  return { certificate, privateKey, publicKey: await certificate.publicKey.export() }
}

function validity(days: number) {
  const now = Date.now()
  return { notBefore: new Date(now - day), notAfter: new Date(now + days * day) }
}

async function selfSign(): Promise<Root> {
  const keys = await generateKeys()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Mock provider CA',
    ...validity(730),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      // RFC 5280 §4.2.1.9, §4.2.1.3
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      // RFC 5280 §4.2.1.2
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate, privateKey: keys.privateKey, publicKey: keys.publicKey }
}

async function authorityOf({ certificate, privateKey, publicKey }: Root): Promise<Authority> {
  return {
    caPem: certificate.toString('pem'),
    keyPem: await exportKey(privateKey),
    async issue(hosts, { local = true } = {}) {
      const leaf = await generateKeys()
      const names = [...new Set([...hosts, ...(local ? localHosts : [])])]
      const cert = await x509.X509CertificateGenerator.create({
        subject: 'CN=Mock provider',
        issuer: certificate.subject,
        ...validity(365),
        publicKey: leaf.publicKey,
        signingKey: privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          // RFC 5280 §4.2.1.6
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
          ),
          await x509.SubjectKeyIdentifierExtension.create(leaf.publicKey),
          // RFC 5280 §4.2.1.1
          await x509.AuthorityKeyIdentifierExtension.create(publicKey),
        ],
      })
      return { cert: cert.toString('pem'), key: await exportKey(leaf.privateKey) }
    },
  }
}

function generateKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', key)
  return x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag)
}
