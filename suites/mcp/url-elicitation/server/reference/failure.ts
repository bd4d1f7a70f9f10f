/** Every way in which a call can fail, each with the one sentence that the model gets to read. */

const sentences = {
  'no-url-mode':
    'Listing items needs your authorization, which is given in a browser. This client does not support URL mode elicitation (the capability elicitation.url), so it cannot be asked for.',
  declined: 'Authorization was declined. Nothing was listed.',
  cancelled: 'Authorization was dismissed. Call again to be asked again.',
  'client-failed': 'The client could not ask for your authorization.',
  'authorization-denied': 'Authorization was denied at the authorization server.',
  'authorization-failed': 'The authorization server did not complete the authorization.',
  'authorization-expired': 'Authorization was not completed in time. Call again for a new link.',
  'authorization-rejected': 'The answer of the authorization server could not be trusted.',
  'provider-unavailable':
    'The authorization server could not be reached or did not answer properly.',
  'exchange-refused': 'The authorization server refused the authorization code. Please try again.',
  'client-refused': 'The authorization server refused the credentials of this server.',
  'token-request-failed': 'The authorization server did not issue a usable access token.',
  'refresh-failed': 'Access could not be renewed at the moment. Please try again later.',
  'token-refused': 'The service refused the access that was just granted.',
  'scope-refused': 'The permissions that were granted do not allow this operation.',
  'service-unavailable': 'The service could not be reached in time.',
  'service-failed': 'The service did not carry out the operation.',
  'state-refused': 'This is not the call that was asked about. Call again without requestState.',
  stopping: 'The server is being stopped. Please try again later.',
} as const

export type FailureCode = keyof typeof sentences

/** The call cannot succeed; `code` says why. The message is ours and safe to show to anybody. */
export class CallFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, detail = '') {
    super(detail === '' ? sentences[code] : `${sentences[code]} ${detail}`)
    this.name = 'CallFailure'
    this.code = code
  }
}

/** The code of a failure as it may be logged. */
export function failureCode(error: unknown): FailureCode | 'internal' {
  return error instanceof CallFailure ? error.code : 'internal'
}

/**
 * The text for a failed call. Anything that is not ours (a library's message, an upstream's
 * error_description) could carry a code or a token, so only our own sentences get out.
 */
export function describeError(error: unknown): string {
  return error instanceof CallFailure
    ? error.message
    : 'The operation failed for an internal reason.'
}
