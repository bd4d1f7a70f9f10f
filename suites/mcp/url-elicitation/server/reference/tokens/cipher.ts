/** Encryption at rest (MCP Security Considerations: secure token storage). */

export interface Cipher {
  /** Encrypts `text` so that it opens under this `name` only. */
  readonly seal: (name: string, text: string) => Promise<string>
  /** Rejects when the key, the name or the content is not what was sealed. */
  readonly open: (name: string, sealed: string) => Promise<string>
}

/**
 * A compact JWE with a direct A256GCM key (RFC 7516, RFC 7518 §4.5). The name travels in the
 * authenticated header: copying one owner's record over another's yields nothing.
 */
export function createCipher(key: Uint8Array): Cipher {
  return {
    async seal(name, text) {
      // jose is loaded at first use: it is the heaviest import and no start-up needs it.
      const { CompactEncrypt } = await import('jose')
      return new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', name })
        .encrypt(key)
    },
    async open(name, sealed) {
      const { compactDecrypt } = await import('jose')
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      })
      if (protectedHeader['name'] !== name) throw new Error('sealed under another name')
      return new TextDecoder().decode(plaintext)
    },
  }
}
