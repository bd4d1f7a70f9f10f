/** Every way in which a call can fail, each with the one sentence that the model gets to read. */

const sentences = {
  'cannot-ask':
    'Listing items needs your authorization. This client does not support delegated authorization (SEP-1028), so it cannot ask for it.',
  declined: 'You declined the authorization. Nothing was listed.',
  expired: 'The authorization was not completed in time. Call again for a new one.',
  denied: 'The authorization was denied at the authorization server.',
  'authorization-failed': 'The authorization server did not complete the authorization.',
  'callback-refused': 'The callback that came back is not the answer to what was asked.',
  'provider-unavailable': 'The authorization server could not be reached.',
  'exchange-refused': 'The authorization server refused the authorization code.',
  'token-request-failed': 'The authorization server did not issue a usable access token.',
  'refresh-failed': 'Access could not be renewed at the moment. Please try again later.',
  'token-refused': 'The service refused the access that was just granted.',
  'scope-refused': 'The permissions that were granted do not allow this operation.',
  'service-failed': 'The service did not carry out the operation.',
} as const

export type FailureCode = keyof typeof sentences

/** The call cannot succeed; `code` says why. The message is ours and safe to show to anybody. */
export class CallFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode) {
    super(sentences[code])
    this.name = 'CallFailure'
    this.code = code
  }
}

/** What a user is told. A library's message or an upstream's words could carry a secret: only ours get out. */
export function describeError(error: unknown): string {
  return error instanceof CallFailure
    ? error.message
    : 'The operation failed for an internal reason.'
}
