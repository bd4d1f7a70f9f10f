/** Every way in which a call can fail, each with the one sentence that the model gets to read. */

const sentences = {
  denied: 'The user denied the authorization.',
  'authorization-failed': 'The authorization server did not complete the authorization.',
  'not-authorized': 'The authorization was not completed.',
  'exchange-refused': 'The authorization server refused the authorization code.',
  'token-request-failed': 'The authorization server did not issue a usable access token.',
  'refresh-failed': 'Access could not be renewed at the moment. Please try again later.',
  'token-refused': 'The service refused the access that was just granted.',
  'scope-refused': 'The permissions that were granted do not allow this operation.',
  'service-failed': 'The service did not carry out the operation.',
  'unknown-tool': 'There is no such tool.',
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

/** What the model is told. A library's message or an upstream's words could carry a secret: only ours get out. */
export function describeFailure(error: unknown): Readonly<Record<string, unknown>> {
  const internal = 'The operation failed for an internal reason.'
  return { error: error instanceof CallFailure ? error.message : internal }
}
