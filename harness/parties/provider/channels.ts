/** The channels of the two parties that the mock provider plays: the authorization server, and the API that it protects. */

import type { DiagramChannel } from '../../engine/diagram.ts'

/** What reaches the provider, from the implementation unless a browser is sent there. */
export function providerChannel(implementation: string): DiagramChannel {
  return {
    from: implementation,
    to: 'provider',
    routes: [
      { path: '/authorize', from: 'user' },
      { path: '/interaction', from: 'user' },
      { path: '/resource', to: 'resource' },
      { path: '/mcp', to: 'resource' },
    ],
  }
}
