/** Requirements: what follows from the answer of the client, and from what the user does in the browser. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const answers: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/server/accept-is-not-done',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, URL Mode Elicitation Requests',
    text: 'That the client accepted means consent to the interaction, not that it is complete.',
    observed:
      'The client accepts; the user never opens the URL, or denies at the provider. Watched for a result like that of a call that was authorized, and for a URL that leads nowhere any more.',
    mend: 'Let the call go on only when the interaction in the browser has ended as it should, not when the client answers.',
  },
  {
    id: 'mcp-url-elicitation/server/handle-refusal',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Response Actions',
    text: 'Decline, cancel and a client that fails to process the request are handled: the call ends, and nothing is redeemed.',
    observed:
      'The client declines, cancels, and answers with an error, before anybody opens the URL; whoever asks anew is answered alike, up to ten times.',
    mend: 'On decline, cancel or an error, end the call with a result or an error that says so, and forget the pending flow.',
  },
  {
    id: 'mcp-url-elicitation/server/declined-link-dead',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'MCP Elicitation, Response Actions; RFC 9700 §4.7',
    text: 'A URL of its own for one elicitation leads to no tokens once that was declined, dismissed, or answered with an error.',
    observed:
      'The user declines or dismisses, or the client answers with an error, but the URL is opened anyway, or the user is at the provider by then and approves there; the run watches for token requests. Where the next call brings the same URL, it was no link of that elicitation.',
    mend: 'When an elicitation is declined, cancelled or answered with an error, delete its flow, so that its URL answers with an error page; look for it once more before a code is redeemed.',
  },
  {
    id: 'mcp-url-elicitation/server/end-after-refusal',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation 2026-07-28, Error Handling',
    since: '2026-07-28',
    text: 'A user who declines or cancels is handled: the retry with that answer ends the call, or asks again.',
    observed: 'Retries with decline and cancel, on revision 2026-07-28.',
    mend: 'Answer a retry whose inputResponses say decline or cancel with a result in words.',
  },
  {
    id: 'mcp-url-elicitation/server/complete-to-initiator',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'A notification of completion goes to the client that initiated the elicitation, and to no other.',
    observed:
      'Two users are asked, one of them authorizes; their connections are watched, and one of another client of the one who does.',
    mend: 'Remember with each elicitation the session that it was sent to, and notify that one.',
  },
  {
    id: 'mcp-url-elicitation/server/complete-id',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'A notification of completion has the elicitationId of the elicitation that it is about.',
    observed:
      'Two users are asked, one of them authorizes; the ids of what was asked are compared.',
    mend: 'Send notifications/elicitation/complete with the elicitationId of the request.',
  },
  {
    id: 'mcp-url-elicitation/server/complete-after',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Completion Notifications for URL Mode Elicitation',
    text: 'A notification of completion is sent when the interaction in the browser is completed, not before.',
    observed:
      'The order of the notification and of the browser coming back to the server; where two users are asked and one of them is done, the other one is told nothing.',
    mend: 'Send the notification from where the callback of the provider is handled.',
  },
]
