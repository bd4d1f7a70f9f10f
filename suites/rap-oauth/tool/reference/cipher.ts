/** Encryption at rest (RAP OAuth, Security Considerations: tools SHOULD encrypt stored tokens). */

export interface Cipher {
  /** Encrypts `text` so that it opens under this `name` only. */
  readonly seal: (name: string, text: string) => Promise<string>
  /** Rejects when the key, the name or the content is not what was sealed. */
  readonly open: (name: string, sealed: string) => Promise<string>
}

/**
 * A compact JWE with a direct A256GCM key (RFC 7516, RFC 7518 §4.5). The name travels in the
 * authenticated header: copying one user's file over another's yields nothing.
 */
export function createCipher(key: Uint8Array): Cipher {
  return {
    async seal(name, text) {
      // Loaded at first use, as no start-up needs it, and alone: all of jose takes twice as long.
      const { CompactEncrypt } = await import('jose/jwe/compact/encrypt')
      return new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', name })
        .encrypt(key)
    },
    async open(name, sealed) {
      const { compactDecrypt } = await import('jose/jwe/compact/decrypt')
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      if (protectedHeader['name'] !== name) throw new Error('sealed under another name')
      return new TextDecoder().decode(plaintext)
    },
  }
}
