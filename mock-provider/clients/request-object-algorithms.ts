/** By what a client may sign its request objects (OpenID Connect Core §6.1, Discovery §3). */
import { asymmetricAlgorithms } from '../crypto/verify-jwt.ts'

/** `none` is what OpenID Connect allows beside signatures: the request is as good as in the query. */
export const requestObjectAlgorithms: readonly string[] = [...asymmetricAlgorithms, 'HS256', 'none']
