/** The one error by which the provider refuses a request, in the form that RFC 6749 gives it. */
import { json, type Reply } from './reply.ts'

export interface OAuthErrorOptions {
  /** HTTP status; 400 unless told. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal with a registered error code (RFC 6749 §4.1.2.1, §5.2 and the RFCs that extend them). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  /** `description` is fixed text: nothing that a request contained is ever echoed. */
  constructor(code: string, description: string, options: OAuthErrorOptions = {}) {
    super(description)
    this.code = code
    this.status = options.status ?? 400
    this.headers = options.headers ?? {}
  }
}

/** The refusal as a JSON reply (RFC 6749 §5.2). */
export function errorReply(error: OAuthError): Reply {
  return json({ error: error.code, error_description: error.message }, error.status, error.headers)
}
