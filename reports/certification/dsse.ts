/** DSSE envelopes (Dead Simple Signing Envelope 1.0.2) with one or more Ed25519 or ECDSA P-256 signatures. */

import { sign, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { keyId } from './keys.ts'

const base64 = z.base64()
/** More signatures on one statement than anybody needs. */
const mostSignatures = 5

export const envelopeSchema = z.strictObject({
  payloadType: z.string(),
  payload: base64,
  signatures: z
    .array(z.strictObject({ keyid: z.string(), sig: base64 }))
    .min(1)
    .max(mostSignatures),
})
export type Envelope = z.infer<typeof envelopeSchema>

/** Pre-authentication encoding: what is signed (DSSE, protocol.md, "Signature Definition"). */
function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType)
  const head = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** Signs a payload. The key id is the JWK thumbprint (RFC 7638); ECDSA signatures are DER, as other DSSE tools expect. */
export async function signEnvelope(
  payloadType: string,
  payload: Uint8Array,
  key: KeyObject,
): Promise<Envelope> {
  const signature = sign(digestOf(key), preAuthEncoding(payloadType, payload), key)
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: await keyId(key), sig: signature.toString('base64') }],
  }
}

/** The id of the first of these keys that signed the envelope; `undefined` when none did. */
export async function signedBy(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly KeyObject[],
): Promise<string | undefined> {
  const signed = preAuthEncoding(payloadType, Buffer.from(payload, 'base64'))
  for (const key of keys) {
    // The key id is only a hint: every key is tried on every signature.
    const by = signatures.some(({ sig }) =>
      verify(digestOf(key), signed, key, Buffer.from(sig, 'base64')),
    )
    if (by) return keyId(key)
  }
  return undefined
}

/** Ed25519 hashes by itself. */
function digestOf({ asymmetricKeyType }: KeyObject): 'sha256' | null {
  return asymmetricKeyType === 'ed25519' ? null : 'sha256'
}
