/** Requirements: what the user is shown, and what is not done without them. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const consent: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/client/consent-before-opening',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The URL is not opened without the explicit consent of the user, whichever way it came.',
    observed:
      'What browser commands are started for, or what the client says that it opens, before the user has answered the prompt, and after they refused; also while another server asks.',
    mend: 'Wait for the answer of the user before anything is handed to a browser, for the error -32042 and for results that ask for input, too.',
  },
  {
    id: 'mcp-url-elicitation/client/no-prefetch',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The client fetches neither the URL nor any metadata of it.',
    observed:
      'Every request to the site of the URL before the user has agreed, and afterwards where the browser is one of the harness, which visits nothing.',
    mend: 'Show the URL as the text that it is, without previews, titles or icons, and hand it to the browser unvisited: no HEAD, no check whether it is there.',
  },
  {
    id: 'mcp-url-elicitation/client/show-full-url',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The user is shown the full URL before they consent.',
    observed: 'What the prompt shows, however the URL is broken up in it.',
    mend: 'Show the URL whole, its query included, beside the question.',
  },
  {
    id: 'mcp-url-elicitation/client/show-host',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model',
    text: 'The user is shown the host that the URL leads to.',
    observed:
      'What the prompt shows, inside the URL or apart; also where another name and an @ stand before the host.',
    mend: 'Show the host of the URL beside the question.',
  },
  {
    id: 'mcp-url-elicitation/client/show-server',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model; MCP Elicitation, Security Considerations',
    text: 'It is clear which server asks.',
    observed:
      'What the prompt shows: the name under which the server is configured, the one that it gives itself, or its address; two servers ask.',
    mend: 'Name the server in the prompt by the name that the user has configured it under.',
  },
  {
    id: 'mcp-url-elicitation/client/show-message',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Security Considerations',
    text: 'It is clear what is asked for, and why: the message of the server is shown.',
    observed: 'What the prompt shows.',
    mend: 'Show the message of the elicitation, with the name of the server, beside the URL.',
  },
  {
    id: 'mcp-url-elicitation/client/open-exact-url',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'What is opened is the URL that the server provided.',
    observed: 'The URL that is opened, character by character; it has escapes in its query.',
    mend: 'Hand the URL to the browser as it came, as one argument of the command, without a shell.',
  },
  {
    id: 'mcp-url-elicitation/client/warn-suspicious-url',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'Suspicious URLs, such as those with Punycode, come with a warning, or are refused.',
    observed:
      'Hosts in Punycode, whole or in part: whether the prompt has words that it has not for other URLs.',
    mend: 'Look for Punycode (xn--) and mixed scripts in the host; show a warning, or refuse.',
  },
  {
    id: 'mcp-url-elicitation/client/refuse-unsafe-url',
    keyword: 'MUST',
    basis: 'best-practice',
    source: 'MCP Elicitation, Safe URL Handling; RFC 3986 §7.2',
    text: 'What is not a web page is not opened: scripts, files, data, or no URL at all.',
    observed:
      'Such URLs of many kinds, alone, after a web page and as the second of two; the user agrees where they are asked.',
    mend: 'Parse the URL and refuse schemes other than https and http before anybody is asked.',
  },
]
