/** Requirements: how and when a server asks for a URL to be opened. */

import type { Requirement } from '../../../../../harness/engine/index.ts'

export const asking: readonly Requirement[] = [
  {
    id: 'mcp-url-elicitation/server/gate-mode',
    keyword: 'MUST NOT',
    basis: 'specification',
    source:
      'MCP Elicitation, Capabilities; MCP Multi Round-Trip Requests 2026-07-28, Server Requirements (Basic Workflow)',
    text: 'A server does not ask in a mode that the client has not declared, nor for any other input in a result; an empty capability is form mode only.',
    observed:
      'Calls from clients that declare no elicitation, an empty one, form mode alone, and URL mode alone, on every revision that is spoken, also where another client of the same user declares more; watched for the other modes in requests, errors and results, and for sampling and roots in the latter.',
    mend: 'Look at the capabilities of the session, or of the request, before asking: elicitation.url for a URL, elicitation.form (or an empty elicitation) for a form. Without them, end the call with an error in words.',
  },
  {
    id: 'mcp-url-elicitation/server/request-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, URL Mode Elicitation Requests',
    text: 'A request in URL mode has mode, message, a valid url and, before 2026-07-28, a unique elicitationId.',
    observed: 'Every elicitation in URL mode of the whole run, whichever way it came.',
    mend: 'Send mode "url", a message for people, an absolute URL and a new elicitationId with every elicitation.',
  },
  {
    id: 'mcp-url-elicitation/server/error-valid',
    keyword: 'MUST',
    basis: 'specification',
    source: 'MCP Elicitation, URL Elicitation Required Error',
    text: 'The error -32042 lists the elicitations to complete, all of them in URL mode and with an elicitationId.',
    observed: 'Every such error of the whole run.',
    mend: 'Put every elicitation that is needed, and nothing else, into data.elicitations of the error.',
  },
  {
    id: 'mcp-url-elicitation/server/error-only-when-needed',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, URL Elicitation Required Error',
    text: 'The error -32042 is not returned unless an elicitation is required.',
    observed:
      'A second call on the same connection, after the first one was served; such calls while the protected API answers 500, or closes the connection.',
    mend: 'Keep what the user has authorized, and look for it before answering with the error; when the API fails for another reason than its token, say so in a result.',
  },
  {
    id: 'mcp-url-elicitation/server/https',
    keyword: 'SHOULD',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'URLs are https ones outside of development.',
    observed: 'The URL of every elicitation that is not on the loopback interface.',
    mend: 'Serve the pages that users open by https, and put that address into the URL.',
  },
  {
    id: 'mcp-url-elicitation/server/clean-url',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'The URL contains nothing sensitive about the user: no credentials, no personal data.',
    observed:
      'The URL of every elicitation, scanned for every secret of the run and for the account of its user.',
    mend: 'Put an opaque id into the URL and keep what belongs to it at the server.',
  },
  {
    id: 'mcp-url-elicitation/server/no-secrets-by-form',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Elicitation, User Interaction Model; MCP Elicitation, Form Mode Security',
    text: 'Passwords, keys, tokens and the like are not asked for in form mode.',
    observed:
      'A call from a client that can show forms and nothing else; the fields of every form, and what its message asks for.',
    mend: 'Ask for secrets in URL mode, and where the client has none, end the call with an error in words.',
  },
  {
    id: 'mcp-url-elicitation/server/stdout-only-messages',
    keyword: 'MUST NOT',
    basis: 'specification',
    source: 'MCP Transports, stdio',
    text: 'A server over stdio writes nothing to its standard output that is not an MCP message.',
    observed: 'Every line of standard output of every process of the run; empty ones are no lines.',
    mend: 'Write logs and banners to standard error, those of package managers and wrappers included.',
  },
  {
    id: 'mcp-url-elicitation/server/no-links-in-forms',
    keyword: 'SHOULD NOT',
    basis: 'specification',
    source: 'MCP Elicitation, Safe URL Handling',
    text: 'No field of a form contains a URL to be clicked.',
    observed: 'A call from a client that can show forms and nothing else; the texts of every form.',
    mend: 'Put no URL into the texts of a form; where the client has no URL mode, end the call with a clear error.',
  },
]
