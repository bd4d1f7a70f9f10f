/** Requirements: the toolset, and how tools are invoked. */

import type { Requirement } from '../../../../harness/engine/index.ts'

export const invocation: readonly Requirement[] = [
  {
    id: 'rap-oauth/runtime/fetch-toolset',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Toolsets, Discovery Endpoint',
    text: 'A toolset is learned from its discovery document, and only from there.',
    observed: 'GET of /.well-known/rap-toolset before the first invocation.',
    mend: 'Read /.well-known/rap-toolset of each configured toolset and use the endpoint and the tools that stand there.',
  },
  {
    id: 'rap-oauth/runtime/fresh-toolset-per-session',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Toolsets, Caching',
    text: 'A new conversation begins with toolset definitions that are fetched for it.',
    observed:
      'The description of a tool changes; what the model is offered in a conversation that begins afterwards.',
    mend: 'Fetch every discovery document when a root conversation thread begins, and keep it for that thread alone.',
  },
  {
    id: 'rap-oauth/runtime/reject-invalid-toolset',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Toolsets, Validation',
    text: 'Of an invalid toolset no tool is made available, not even those that are valid.',
    observed:
      'Toolsets that are not valid; what the model is offered in a conversation that begins afterwards.',
    mend: 'Validate a discovery document whole when it is fetched, and leave out the toolset where anything in it is wrong.',
  },
  {
    id: 'rap-oauth/runtime/reject-colliding-tools',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'RAP Toolsets, Loading Toolsets',
    text: 'Where two toolsets have a tool of the same name, neither of the two is made available.',
    observed:
      'Two toolsets with one tool of the same name; what the model is offered in a conversation that begins afterwards.',
    mend: 'Compare the names of all tools when the toolsets are loaded, and leave out every tool whose name is not unique.',
  },
  {
    id: 'rap-oauth/runtime/invocation-is-json-post',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Request; RAP Transport, Message Encoding',
    text: 'An invocation is sent by POST with content type application/json.',
    observed: 'Method, content type and body of every invocation of the scenario.',
    mend: 'Send invocations by POST with the header content-type: application/json.',
  },
  {
    id: 'rap-oauth/runtime/invocation-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Fields',
    text: 'An invocation has operation, arguments, id, callback_url and group_id of the right types.',
    observed: 'Every invocation of the scenario, checked against the schema.',
    mend: 'Send operation, arguments, id, callback_url and group_id, arguments as an object and the others as strings.',
  },
  {
    id: 'rap-oauth/runtime/invocation-faithful',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Fields',
    text: 'The runtime invokes the operation that the model named, with the arguments of the model.',
    observed: 'The tool call of the scripted model, compared with the invocation.',
    mend: 'Pass on the operation name of the manifest and the arguments of the model, with nothing added or left out.',
  },
  {
    id: 'rap-oauth/runtime/unique-call-id',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Fields; RAP Tool Result, Routing',
    text: 'The id of an invocation is unique among the calls of its thread.',
    observed: 'The ids of all calls of the run, thread by thread.',
    mend: 'Make a random id for every call, for example a UUID.',
  },
  {
    id: 'rap-oauth/runtime/usable-callback-url',
    keyword: 'MUST',
    basis: 'specification',
    source: 'RAP Tool Invocation, Runtime Validation; RAP Transport, Callback URL',
    text: 'callback_url is an absolute URL at which the runtime takes callbacks.',
    observed: 'The URL of the invocation, and whether a message sent there is answered.',
    mend: 'Send an absolute http or https URL that reaches the runtime from outside, before the acknowledgement as well.',
  },
]
