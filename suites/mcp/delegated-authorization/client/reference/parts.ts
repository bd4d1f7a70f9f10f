/** The steps of this client as plain functions; `createHost` takes others in their place. */

import type { ClientCapabilities } from '@modelcontextprotocol/client'
import { authorize, decide } from './authorize.ts'
import { isCallback, listen, refuse, type Listener } from './listener.ts'
import { openUrl } from './open-url.ts'
import { isWebPage, promptText } from './prompt.ts'
import { selectRedirect, withRedirectUri } from './redirects.ts'
import { createTransport } from './transports.ts'
import type { AuthResult, UserInterface } from './work.ts'

/** The SDK does not know this capability, and sends it all the same. */
const delegated = { delegated_authorization: {} } as ClientCapabilities

export const defaultParts = {
  // a call
  mayCall: (_user: UserInterface, _tool: string): Promise<boolean> => Promise.resolve(true),
  startCall: (call: () => Promise<void>): Promise<void> => call(),
  // a server
  capabilities: (): ClientCapabilities => delegated,
  createTransport,
  // the user
  authorize,
  isWebPage,
  promptText,
  decide,
  openUrl,
  // the way back
  selectRedirect,
  withRedirectUri,
  listen,
  host: (): string => '127.0.0.1',
  isCallback,
  refuse,
  resultOf: (callback: string): AuthResult => ({ url: callback }),
  closeListener: (listener: Listener): Promise<void> => listener.close(),
}

export type Parts = Readonly<typeof defaultParts>
