/** Requirements: what the user is shown and asked, and what is opened. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const consent: readonly Requirement[] = [
  {
    id: 'mcp-delegated-authorization/client/declare-capability',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Client Capability',
    text: 'A client that supports it declares delegated_authorization, an object, in initialize.',
    observed: 'The capabilities of every initialize request.',
    mend: 'Send "capabilities": {"delegated_authorization": {}} in initialize.',
  },
  {
    id: 'mcp-delegated-authorization/client/show-domain',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'The domain of the authorization server is shown before the URL is opened.',
    observed: 'The text of the prompt, which has to contain the host of the URL.',
    mend: 'Show the host of the URL in the prompt, apart from what the server wrote.',
  },
  {
    id: 'mcp-delegated-authorization/client/show-message',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'SEP-1028, Authorization Request',
    text: 'The message, which says why authorization is needed, is shown.',
    observed: 'The text of the prompt.',
    mend: 'Show the message of the request when you ask the user for consent.',
  },
  {
    id: 'mcp-delegated-authorization/client/consent-before-opening',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'No URL is opened before the user has explicitly agreed.',
    observed:
      'What is opened while the user says nothing, declines, and before they agree; also after they agreed to another URL, or to the same one before, and while another server asks.',
    mend: 'Open the URL in the branch in which the user said yes, and nowhere else.',
  },
  {
    id: 'mcp-delegated-authorization/client/open-complete-url',
    keyword: 'MUST',
    basis: 'specification',
    source: 'SEP-1028, Authorization Request',
    text: 'The URL that is opened is that of the request: the same place with every parameter, but for the redirect URI that was selected.',
    observed:
      'The URL of the request, in which a parameter comes twice, another is empty, and the path has what a shell would carry out, compared with the one that is opened. That the client adds parameters is not held against it.',
    mend: 'Replace the value of redirect_uri in the URL, leave everything else as it is, and start the browser with the URL as one argument, without a shell.',
  },
  {
    id: 'mcp-delegated-authorization/client/open-once',
    keyword: 'SHOULD',
    basis: 'best-practice',
    source: 'RFC 9700 §4.7',
    text: 'An authorization request is opened once: a second one brings another answer to a state that is used.',
    observed: 'What is opened from the consent of the user until the client has answered.',
    mend: 'Open the authorization URL once for each request, however often the user presses.',
  },
  {
    id: 'mcp-delegated-authorization/client/no-own-request',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'SEP-1028, Client Security Requirements',
    text: 'The client does not load the authorization URL itself: it is opened in a browser that nobody inspects.',
    observed: 'Requests to the authorization server, which the harness sends no browser to.',
    mend: 'Hand the URL to the browser of the user; fetch no title, icon or metadata of it.',
  },
  {
    id: 'mcp-delegated-authorization/client/refuse-unsafe-url',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'RFC 6749 §3.1; RFC 8252 §8.12',
    text: 'What is not a URL of a web page is not opened.',
    observed: 'Such URLs of many kinds, alone and after a web page; the user says yes.',
    mend: 'Parse the URL and open https, and http on the loopback interface, only.',
  },
]
