/** Lawful variations of this manager: no verdict may change. `oddities.py` has them. */

import type { Oddity } from './variation.ts'

const page = 'PenguiFlow OAuth & HITL'

export const oddities: readonly Oddity[] = [
  {
    id: 'scopes-as-text',
    description: 'scopes are one text, separated by blanks',
    permitted: `${page}, Pause payload shape: it names no type of scopes; RFC 6749 §3.3`,
    touches: ['authorize-and-complete', 'reserved-characters'],
  },
  {
    id: 'bare-payload',
    description: 'the payload has the URL, and neither state nor scopes',
    permitted: `${page}, Pause payload shape: the other members are common, no more`,
    touches: ['authorize-and-complete', 'exchange-token-html', 'callback-too-late'],
  },
  {
    id: 'uuid-states',
    description: 'states are UUIDs in capitals',
    permitted: 'RFC 6749 §10.10: 122 random bits make a guess as unlikely',
    touches: ['authorization-requests-compared', 'state-altered', 'authorize-and-complete'],
  },
  {
    id: 'long-states',
    description: 'states have three parts, name their user, and are 400 characters long',
    permitted: 'RFC 6749 §4.1.1: the value of state is opaque',
    touches: ['authorization-requests-compared', 'state-altered-late', 'authorize-and-complete'],
  },
  {
    id: 'pushed-requests',
    description: 'the request is pushed, and the URL holds its name alone',
    permitted: 'RFC 9126 §4',
    touches: ['authorize-and-complete', 'reserved-characters', 'ten-users'],
  },
  {
    id: 'secret-in-body',
    description: 'the client authenticates itself in the body of the token request',
    permitted: 'RFC 6749 §2.3.1',
    touches: ['authorize-and-complete', 'code-with-reserved-characters'],
  },
  {
    id: 'public-client',
    description: 'the clients are public: they have no secret, and PKCE protects their codes',
    permitted: 'RFC 6749 §2.1; RFC 9700 §2.1.1',
    touches: ['authorize-and-complete', 'reserved-characters', 'second-provider'],
    configuration: { provider: { client: { auth: ['none'] } } },
  },
  {
    id: 'waits-longer',
    description: 'flows wait for 650 seconds',
    permitted: `${page}, Operational defaults: about ten minutes`,
    touches: ['callback-in-time', 'callback-too-late'],
  },
  {
    id: 'plain-names',
    description: 'users with long names, or with other characters than those of ASCII, are refused',
    permitted: `${page}, Token binding & HITL mapping: it says nothing of what names a framework takes`,
    touches: [
      'other-accents',
      'other-form-of-a-digit',
      'other-blanks',
      'other-end-of-a-long-name',
      'other-case',
    ],
  },
  {
    id: 'flows-shared',
    description: 'who has not come back yet is sent away with the same state and URL once more',
    permitted: 'RFC 9700 §4.7.1: a state serves once, and this one has not served',
    touches: [
      'authorization-requests-compared',
      'restart-before-callback',
      'state-of-another-flow',
      'ten-users',
    ],
  },
  {
    id: 'own-errors',
    description: 'what the HTTP client raises is handed on as it is',
    permitted: `${page}, Observability: it names no class of errors`,
    touches: ['exchange-token-connection-closed', 'exchange-token-html', 'expired-code'],
  },
  {
    id: 'refuses-dead-tokens',
    description: 'a token whose lifetime is zero is refused',
    permitted: 'RFC 6749 §5.1: it has expired',
    touches: ['exchange-token-expires-in-zero'],
  },
  {
    id: 'refreshes',
    description: 'an expired token is refreshed',
    permitted: `${page}, Non-goals / boundaries: refreshing is left to whoever needs it`,
    touches: ['token-expires', 'refresh-refused', 'stored-token'],
  },
  {
    id: 'waits-for-pending-consent',
    description: 'who has not come back yet is not sent away again: the tool fails, and says so',
    permitted: `${page}, OAuth manager: without a token the tool does not run; how often a user is asked is not said`,
    touches: ['callback-names-other-user'],
  },
  {
    id: 'conversation-refused-by-tool',
    description: 'in the conversation of another user the tool fails, and the model hears of it',
    permitted: `${page}, Security / multi-tenancy notes: it keeps users apart`,
    touches: ['stored-token'],
  },
  {
    id: 'conversation-remembered',
    description: 'the model is given all that was said in a conversation before, whoever speaks',
    permitted: `${page}: what a model is told of earlier runs is not said`,
    touches: ['stored-token', 'two-conversations-of-one-user'],
  },
  {
    id: 'endpoints-checked-at-once',
    description: 'with endpoints that it does not take a run fails before the model is asked',
    permitted: 'RFC 6749 §3.1: nobody is sent there',
    touches: ['plain-http-endpoint', 'plain-http-endpoint-prefix', 'plain-http-endpoint-userinfo'],
  },
  {
    id: 'page-first',
    description: 'the browser gets its page before the code is redeemed',
    permitted: `${page}, Non-goals / boundaries: the page is the host’s`,
    touches: ['authorize-and-complete', 'callback-replayed', 'two-callbacks-at-once', 'ten-users'],
  },
  {
    id: 'no-kind-of-error',
    description: 'a refusal does not say of which class it is',
    permitted: 'the adapter protocol has it optional',
    touches: ['exchange-token-error-500'],
  },
]
