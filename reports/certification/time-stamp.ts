/** Trusted time: a time stamp of an authority over a signed envelope (RFC 3161), asked for and checked offline. */

import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import type { Certificate, FindIssuerCallback, SignedData, TSTInfo } from 'pkijs'
import { BundleError } from './bundle.ts'

/** Replies with a chain of certificates are a tenth of this, in bytes. */
export const largestTimeStamp = 100_000

const sha256Oid = '2.16.840.1.101.3.4.2.1'
const timeStampContent = '1.2.840.113549.1.9.16.1.4'
const extendedKeyUsage = '2.5.29.37'
const timeStamping = '1.3.6.1.5.5.7.3.8'

/** What an authority signed. */
export interface TimeStamp {
  readonly time: Date
  /** Subject of the certificate that signed it. */
  readonly by: string
}

// Loaded where somebody asks for it: few certifications are stamped.
const library = () => import('pkijs')

/** The request for a time stamp over a content (RFC 3161 §2.4.1), with a nonce and the wish for certificates. */
export async function timeStampQuery(content: Uint8Array): Promise<Uint8Array> {
  const { AlgorithmIdentifier, MessageImprint, TimeStampReq } = await library()
  const { Integer, OctetString } = await import('asn1js')
  const digest = createHash('sha256').update(content).digest()
  // A positive number whose first byte is not zero: DER has one form for it.
  const nonce = Uint8Array.from([1, ...randomBytes(8)])
  const query = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: sha256Oid }),
      hashedMessage: new OctetString({ valueHex: Uint8Array.from(digest).buffer }),
    }),
    nonce: new Integer({ valueHex: nonce.buffer }),
    certReq: true,
  })
  return new Uint8Array(query.toSchema().toBER())
}

/**
 * The time that an authority stated for a content. `authorities` are the certificates in PEM that the reader trusts for it.
 * @throws {@link BundleError} where the reply proves no time for it
 */
export async function verifyTimeStamp(
  reply: Uint8Array,
  content: Uint8Array,
  authorities: string,
): Promise<TimeStamp> {
  const trustedCerts = await certificatesIn(authorities)
  const { signed, info } = await readTimeStamp(reply)
  requireStrong(info)
  const checked = await signed
    .verify({
      signer: 0,
      data: Uint8Array.from(content).buffer,
      trustedCerts,
      checkChain: true,
      findIssuer: boundedSearch(),
      extendedMode: true,
    })
    .catch((error: unknown) => {
      throw new BundleError(`its time stamp does not verify: ${messageOf(error)}`)
    })
  const { signatureVerified, signerCertificateVerified, signerCertificate: signer } = checked
  if (!signatureVerified || !signerCertificateVerified || !signer) {
    throw new BundleError('its time stamp does not verify with the given authority')
  }
  requirePurpose(signer)
  return {
    time: info.genTime,
    by: new X509Certificate(Buffer.from(signer.toSchema().toBER())).subject,
  }
}

/** The time that a reply states for a content, whoever signed it. @throws {@link BundleError} where it is for another one */
export async function statedTime(reply: Uint8Array, content: Uint8Array): Promise<Date> {
  const { info } = await readTimeStamp(reply)
  const data = Uint8Array.from(content).buffer
  if (!(await info.verify({ data }))) throw new BundleError('the time stamp is for something else')
  return info.genTime
}

/** The certificates in a PEM file. @throws {@link BundleError} for one that has none */
async function certificatesIn(pem: string): Promise<Certificate[]> {
  const { Certificate } = await library()
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    if (blocks.length === 0) throw new Error('none')
    return blocks.map((block) => {
      const der = new X509Certificate(block).raw
      return Certificate.fromBER(Uint8Array.from(der).buffer)
    })
  } catch {
    throw new BundleError('the authority file holds no certificate in PEM')
  }
}

/** No chain of an authority is longer. */
const mostIssuers = 10

/** Looks for issuers as the library does, but not for ever: certificates can issue each other in a circle. */
function boundedSearch(): FindIssuerCallback {
  let asked = 0
  return (certificate, engine, crypto) => {
    asked += 1
    if (asked > mostIssuers) throw new Error('too many certificates')
    return engine.defaultFindIssuer(certificate, engine, crypto)
  }
}

const strongDigests = new Set([sha256Oid, '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'])

/** Of a weaker digest, somebody could have made two contents. */
function requireStrong({ messageImprint }: TSTInfo): void {
  if (strongDigests.has(messageImprint.hashAlgorithm.algorithmId)) return
  throw new BundleError('its time stamp is over a digest other than SHA-256, SHA-384 or SHA-512')
}

async function readTimeStamp(reply: Uint8Array) {
  const { PKIStatus, SignedData, TimeStampResp, TSTInfo } = await library()
  try {
    const { status, timeStampToken } = TimeStampResp.fromBER(Uint8Array.from(reply).buffer)
    const granted = [PKIStatus.granted, PKIStatus.grantedWithMods].includes(status.status)
    if (!granted || timeStampToken === undefined) {
      throw new BundleError(`the authority granted no time stamp: status ${status.status}`)
    }
    const signed: SignedData = new SignedData({ schema: timeStampToken.content })
    const { eContentType, eContent } = signed.encapContentInfo
    if (eContentType !== timeStampContent || eContent === undefined) {
      throw new BundleError('its time stamp is not a valid time stamp')
    }
    if (signed.signerInfos.length !== 1) throw new BundleError('its time stamp has other signers')
    const info = TSTInfo.fromBER(eContent.getValue())
    return { signed, info }
  } catch (error) {
    if (error instanceof BundleError) throw error
    throw new BundleError(`its time stamp cannot be read: ${messageOf(error)}`)
  }
}

/** Its one purpose is time stamping, and whoever does not know that must refuse it (RFC 3161 §2.3). */
function requirePurpose({ extensions }: Certificate): void {
  const usage = extensions?.find(({ extnID }) => extnID === extendedKeyUsage)
  const purposes = (usage?.parsedValue as { keyPurposes?: readonly string[] } | undefined)
    ?.keyPurposes
  if (usage?.critical && purposes?.length === 1 && purposes[0] === timeStamping) return
  throw new BundleError('its time stamp is signed by a certificate for another purpose')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'it is malformed'
}
