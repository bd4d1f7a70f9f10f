/** Requirements: the discovery document, and how invocations are acknowledged. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const invocation: readonly Requirement[] = [
  {
    id: 'rap-oauth/tool/manifest-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Toolsets, Validation; RAP Toolsets, Discovery Endpoint',
    text: 'The discovery document is valid, because a runtime rejects an invalid toolset as a whole.',
    observed: 'GET of /.well-known/rap-toolset, checked against the schema.',
    mend: 'Check the document at /.well-known/rap-toolset against the schema of RAP Toolsets before you publish it.',
  },
  {
    id: 'rap-oauth/tool/requires-auth-annotation',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP OAuth, Tool Requirements',
    text: 'A tool that requires OAuth names its provider in the requiresAuth annotation.',
    observed: 'The annotation of the invoked operation in the discovery document.',
    mend: 'Add requiresAuth with the name of the provider to the annotations of the operation in the discovery document.',
  },
  {
    id: 'rap-oauth/tool/acknowledge-with-200',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Response; RAP Transport, Tool Acknowledgement',
    text: 'An invocation is acknowledged with HTTP 200; the body does not matter.',
    observed:
      'The status of the answer to an invocation that later produced a message, in every scenario.',
    mend: 'Answer every invocation that you take with status 200; the result travels to the callback URL.',
  },
  {
    id: 'rap-oauth/tool/acknowledge-immediately',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP OAuth, Flow; RAP Tool Invocation, Response',
    text: 'The acknowledgement does not wait for the work, in particular not for an upstream.',
    observed:
      'The provider or the protected API is held back; the acknowledgement must still arrive.',
    mend: 'Answer the request first. Do all work, also requests to the provider, after you have sent the answer.',
  },
  {
    id: 'rap-oauth/tool/never-drop-invocation',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Tool Invocation, Validation',
    text: 'An invocation that cannot be carried out is refused or answered with an error result. It is never dropped.',
    observed:
      'Unknown operations, arguments that do not fit, callers without a user_id, and unusual identifiers: an error status or a message, if need be after the consent of the user.',
    mend: 'Catch every error while you read or carry out an invocation, and send a tool_result with "Error: ..." to its callback URL.',
  },
  {
    id: 'rap-oauth/tool/validate-operation',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Tool Validation',
    text: 'An operation that the tool does not have is not carried out as if it were another one.',
    observed:
      'An unknown operation; where the tool asks for a consent first, the user gives it. The result must not be like that of an operation that was served.',
    mend: 'Look the operation up among those of your toolset before you do anything for it, and report an unknown one by a tool_result that begins with "Error: ".',
  },
  {
    id: 'rap-oauth/tool/report-bad-arguments',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Lifecycle, Processing an Invocation; RAP Lifecycle, Tool Errors',
    text: 'Arguments that are no object, or that the inputSchema of the operation does not allow, are reported by an error.',
    observed:
      'An invocation whose arguments are a list, and one with one thing wrong; where the tool asks for a consent first, the user gives it. The result must not be like that of a call that was served.',
    mend: 'Validate the arguments against the inputSchema that you publish before you do anything with them, and report what does not fit by a tool_result that begins with "Error: ".',
  },
  {
    id: 'rap-oauth/tool/acknowledge-bad-invocation',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'RAP Tool Invocation, Validation',
    text: 'An invocation with an unknown operation or bad arguments is still acknowledged with 200.',
    observed: 'The status of the answer to such an invocation.',
    mend: 'Answer 200 to every message of the right form. Report an unknown operation or bad arguments by a tool_result that begins with "Error: ".',
  },
  {
    id: 'rap-oauth/tool/survive-malformed-invocation',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 9110 §2.4; RAP Tool Invocation, Validation',
    text: 'Input that is not a valid invocation does not take the server down.',
    observed:
      'Malformed JSON, a wrong content type, deep nesting; then a normal invocation is answered.',
    mend: 'Catch what parsing throws and answer 400; limit the size of a body and the depth of its nesting.',
  },
]
