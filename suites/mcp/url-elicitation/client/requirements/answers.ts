/** Requirements: what the client says that it can do, and what it answers. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const answers: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/client/declare-mode',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Capabilities; MCP Elicitation 2026-07-28, Capabilities',
    text: 'A client that supports elicitation declares it, with at least one mode; from 2026-07-28 on with each request.',
    observed:
      'Every initialize, and every call of a tool in a revision without one; a connection that declares nothing, such as a probe, is none that supports it.',
    mend: 'Declare capabilities.elicitation.url; {} stands for forms alone.',
  },
  {
    id: 'mcp-url-elicitation/client/refuse-undeclared',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Error Handling',
    appliesTo: 'sessions of revision 2025-11-25 or a later one',
    text: 'A request in a mode that the client has not declared is answered by the error -32602.',
    observed: 'A form where none was declared; where both were, a mode that there is not.',
    mend: 'Compare the mode with what was declared before anybody is asked, and answer -32602.',
  },
  {
    id: 'mcp-url-elicitation/client/form-without-mode',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Elicitation Requests',
    text: 'A request without a mode is treated as one in form mode.',
    observed: 'A request with a URL and without a mode: nothing is opened.',
    mend: 'Take the mode from the member mode alone, and form where it is missing.',
  },
  {
    id: 'mcp-url-elicitation/client/accept-after-consent',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model; MCP Elicitation, Response Actions',
    text: 'The client answers accept when its user has explicitly agreed, and not before.',
    observed:
      'The answers while the user says nothing, also when the server says that it is complete, and after they have agreed.',
    mend: 'Send accept when the user agrees; nothing else stands for that.',
  },
  {
    id: 'mcp-url-elicitation/client/accept-without-content',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Response Actions',
    text: 'In URL mode the content of the answer is omitted.',
    observed: 'Every answer accept of the whole run.',
    mend: 'Answer a URL elicitation with { "action": "accept" } alone.',
  },
  {
    id: 'mcp-url-elicitation/client/decline-and-cancel',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model; MCP Elicitation, Response Actions',
    text: 'The user can decline and can cancel, and the server is told which.',
    observed: 'The answers when a user declines, and when they dismiss the prompt.',
    mend: 'Answer decline to an explicit no, and cancel to a prompt that was closed without one.',
  },
  {
    id: 'mcp-url-elicitation/client/ignore-unknown-complete',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'Notifications of completion for ids that are unknown, or complete already, are ignored.',
    observed:
      'A completion of an elicitation that there never was while another is pending, one that another server tells, and a second one of an elicitation that is complete.',
    mend: 'Look the id up among the elicitations that are pending, and drop the notification where it is not there.',
  },
  {
    id: 'mcp-url-elicitation/client/handle-required-error',
    keyword: 'SHOULD',
    basis: 'specification',
    source:
      'MCP Elicitation, URL Elicitation Required Error; MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'The elicitations of the error -32042 are presented, and the request is made again afterwards, not for ever.',
    observed:
      'A call that is refused with the error: once, for ever, and with two elicitations; what is made again, by its tool and arguments.',
    mend: 'On error -32042, present the elicitations in error.data, then send the request again; stop after a few rounds.',
  },
  {
    id: 'mcp-url-elicitation/client/id-used-once',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Base Protocol, Requests',
    appliesTo: 'sessions of a revision with a handshake',
    text: 'A call that is made again after the error -32042 has an id that its session has not seen before.',
    observed: 'The ids of the call and of the retry, where both are of one session.',
    mend: 'Send the retry as a request of its own, in place of the message that was refused.',
  },
  {
    id: 'mcp-url-elicitation/client/manual-retry',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'The user can have the request made again where the notification of completion never arrives.',
    observed: 'The error -32042 without any notification; the user asks for the call once more.',
    mend: 'Offer a way to send the request again, or to cancel it, while no notification has come.',
  },
]
