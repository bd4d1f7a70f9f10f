/** Every way in which a call can fail, each with the one sentence that the agent gets to read. */

const sentences = {
  'unknown-operation': 'This tool has no such operation.',
  'invalid-arguments': 'The arguments do not fit the operation.',
  'authorization-denied':
    'Authorization was denied by the user. Please try again and grant the requested permissions.',
  'authorization-failed': 'The authorization server did not complete the authorization.',
  'authorization-expired':
    'Authorization was not completed in time. Please try again and open the new link.',
  'authorization-rejected': 'The answer of the authorization server could not be trusted.',
  'provider-unavailable':
    'The authorization server could not be reached or did not answer properly.',
  'provider-insecure': 'The authorization server offers no HTTPS authorization page.',
  'exchange-refused': 'The authorization server refused the authorization code. Please try again.',
  'client-refused': 'The authorization server refused the credentials of this tool.',
  'token-request-failed': 'The authorization server did not issue a usable access token.',
  'refresh-failed': 'Access could not be renewed at the moment. Please try again later.',
  'token-refused': 'The service refused the access that was just granted.',
  'scope-refused': 'The permissions that were granted do not allow this operation.',
  'service-unavailable': 'The service could not be reached in time.',
  'service-failed': 'The service did not carry out the operation.',
  interrupted: 'The tool was restarted before the operation finished. Please try again.',
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
 * The text of the tool_result for a failed call. Anything that is not ours (a library's message, an
 * upstream's error_description) could carry a code or a token, so only our own sentences get out
 * (RAP OAuth, Security Considerations).
 */
export function describeError(error: unknown): string {
  if (error instanceof CallFailure) return `Error: ${error.message}`
  return 'Error: The operation failed for an internal reason.'
}
