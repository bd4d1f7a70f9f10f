/** Serves a mock provider on a port. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { ServerCertificate } from '../crypto/authority.ts'
import { isLocal } from '../control/guard.ts'
import { ConnectionClosed } from '../http/connection-closed.ts'
import { answerHalfClosed } from '../http/half-closed.ts'
import { rescue, type MaybePromise } from '../storage/maybe-promise.ts'
import { createMockProvider, type MockProvider, type MockProviderOptions } from './provider.ts'

/** The options of a provider, and where it listens. */
export interface ServeOptions extends MockProviderOptions {
  /** The address to listen at. Default: 127.0.0.1, where nobody else can reach it. */
  readonly hostname?: string | undefined
  /** Default: any free port. */
  readonly port?: number | undefined
  /** What its issuer has after its origin, unless that is given. Default: nothing. */
  readonly path?: string | undefined
  /** Serves HTTPS with this PEM certificate and key. Default: plain HTTP. */
  readonly tls?: ServerCertificate | undefined
}

/** A provider that listens on a port, until it is closed. */
export interface RunningProvider extends MockProvider {
  readonly port: number
  /**
   * Presents another certificate from now on, and ends every connection, so that nobody goes on with one that was opened
   * under the first. Tells of each later connection that ends without a request: who checks the certificate leaves there.
   * @throws TypeError where the provider is served without TLS
   */
  present(certificate: ServerCertificate, onUnused?: () => void): void
  /**
   * Lets no connection outlive its response from now on (RFC 9112 §9.6): a client that takes an idle one just when
   * `present` ends it fails without ever having seen the other certificate.
   */
  keepNoConnections(): void
  /** Stops listening and ends every connection at once, also those held back. */
  close(): Promise<void>
}

/**
 * Serves a new provider, on 127.0.0.1 unless told. Its issuer is the origin it is served from unless given.
 * Rejects with the error of `listen` when the port cannot be bound.
 *
 * @example
 * const authority = await createAuthority()
 * const tls = await authority.issue(['localhost', '127.0.0.1'])
 * const provider = await serveMockProvider({ tls })
 */
export async function serveMockProvider(options: ServeOptions = {}): Promise<RunningProvider> {
  const { port = 0, hostname = '127.0.0.1', tls, path = '', ...providerOptions } = options
  requireToken(hostname, options.control)
  // nothing is accepted before the provider exists: the port is part of its issuer
  const server = tls ? createHttpsServer(tls) : createHttpServer()
  server.keepAliveTimeout = keepAlive
  if (!tls) answerHalfClosed(server)
  const connections = watchConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: hostname, backlog: mostWaiting }, resolve)
  })
  const bound = portOf(server.address())
  const host = isLocal(hostname) ? hostOf(hostname) : '127.0.0.1'
  const issuer = options.issuer ?? originOf(tls ? 'https' : 'http', host, bound) + path
  const provider = createMockProvider({ ...providerOptions, issuer })
  const listener = getRequestListener((request, env) => answer(provider, request, env))
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
  return {
    ...provider,
    port: bound,
    present(certificate, onUnused) {
      if (!('setSecureContext' in server)) throw new TypeError('served without TLS')
      // A new context has new ticket keys: no session is resumed, which would need no certificate (RFC 8446 §2.2).
      server.setSecureContext(certificate)
      connections.restart(onUnused)
    },
    keepNoConnections() {
      server.prependListener('request', (_: IncomingMessage, outgoing: ServerResponse) => {
        outgoing.shouldKeepAlive = false
      })
      server.closeIdleConnections()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Knows the connections of a server, and which of them end without a request. */
function watchConnections(server: Server) {
  const open = new Map<number | undefined, Socket>()
  let unused: (() => void) | undefined
  server.on('connection', (socket) => {
    const { remotePort } = socket
    open.set(remotePort, socket)
    const tell = unused
    socket.once('close', () => {
      if (open.get(remotePort) === socket) open.delete(remotePort)
      if (!used.has(socket)) tell?.()
    })
  })
  // Over TLS a request knows the stream that was decrypted, which has the port of the connection below it.
  const used = new WeakSet<Socket>()
  server.on('request', ({ socket }: IncomingMessage) => {
    const connection = open.get(socket.remotePort)
    if (connection) used.add(connection)
  })
  return {
    /** Ends all connections; of later ones that end unused is told from now on. */
    restart(onUnused?: () => void): void {
      unused = onUnused
      for (const socket of open.values()) socket.destroy()
    },
  }
}

/**
 * Milliseconds for which an idle connection stays open: longer than clients keep theirs, because one that
 * sends a request just when the server closes sees a reset, which would be nobody's fault.
 */
const keepAlive = 120_000

/**
 * Connections that may wait to be accepted; the system lowers it to its own limit. With the default
 * of 511 some of many that come at once would be reset unanswered.
 */
const mostWaiting = 65_535

/** @throws TypeError for a control API that anybody could use */
function requireToken(hostname: string, control: ServeOptions['control']): void {
  const open = control === true || (control && control.token === undefined)
  if (open && !isLocal(hostname)) {
    throw new TypeError(`control needs a token when the provider listens at ${hostname}`)
  }
}

/** An issuer has no default port (RFC 3986 §6.2.3), so that it can be compared as text. */
const originOf = (scheme: string, host: string, port: number) =>
  new URL(`${scheme}://${host}:${port}`).origin

/** RFC 3986 §3.2.2: an IPv6 address stands in brackets. */
const hostOf = (hostname: string) => (hostname.includes(':') ? `[${hostname}]` : hostname)

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not bound to a port')
  return address.port
}

/** Closes the socket where the app says that the connection closes. */
function answer(
  provider: MockProvider,
  request: Request,
  env: HttpBindings | Http2Bindings,
): MaybePromise<Response> {
  return rescue(
    () => provider.app.fetch(request, env),
    (error) => {
      if (!(error instanceof ConnectionClosed)) throw error
      env.incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    },
  )
}
