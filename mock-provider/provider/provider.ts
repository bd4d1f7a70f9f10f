/** The mock provider: an issuer, the tenants behind it, and the API by which both are controlled. */
import { Hono } from 'hono'
import { controlPrefix, createControlApp } from '../control/control-app.ts'
import type { ControlOptions } from '../control/guard.ts'
import { createIssuer, type IssuerHandle } from './issuer.ts'
import { requireKnown } from './known-names.ts'
import { resolveOptions, type IssuerOptions } from './options.ts'
import { createTenants, type TenantOptions, type Tenants } from './tenants.ts'

/** The options of a provider; each may be left out. */
export interface MockProviderOptions extends IssuerOptions {
  /** Issuers at `/{tenant}`, with the same options but nothing else in common. Default: none. */
  readonly tenants?: boolean | TenantOptions | undefined
  /** The inspection and control API, under `/_control`. Default: off. */
  readonly control?: boolean | ControlOptions | undefined
}

/** A provider: its own issuer, and the tenants below it. */
export interface MockProvider extends IssuerHandle {
  /**
   * The issuer at `/{name}`, created if need be.
   * @throws TypeError unless the provider has tenants, or for an unusable name
   */
  tenant(name: string): IssuerHandle
  /** The names of the tenants there are, the one used last at the end. */
  tenantNames(): readonly string[]
}

/**
 * Creates a strict OAuth provider that does what the RFCs demand, and misbehaves on request.
 *
 * @example
 * const provider = createMockProvider({
 *   clients: [{ clientId: 'app', redirectUris: ['https://app.example/callback'] }],
 * })
 * const response = await provider.app.request('/.well-known/oauth-authorization-server')
 *
 * @throws TypeError for an unusable issuer or client, or an unknown fault
 */
export function createMockProvider(options: MockProviderOptions = {}): MockProvider {
  const { tenants: wanted, control: controlled, ...own } = options
  requireKnown('option of tenants', Object(wanted), ['onFirstUse', 'most'])
  requireKnown('option of control', Object(controlled), ['token'])
  const root = createIssuer(resolveOptions(own))
  const tenants = wanted ? createTenants(root, own, wanted === true ? {} : wanted) : undefined
  const control = controlled
    ? createControlApp(root, tenants, controlled === true ? {} : controlled)
    : undefined
  const app = tenants || control ? createFront(root.handle.app, tenants, control) : root.handle.app
  return {
    ...root.handle,
    app,
    fetch: async (request) => app.fetch(request),
    tenant(name) {
      if (!tenants) throw new TypeError('this provider has no tenants: see the option tenants')
      return tenants.open(name).handle
    },
    tenantNames: () => tenants?.names() ?? [],
  }
}

/** Sends each request to the control API, or to the issuer that its path belongs to. */
function createFront(root: Hono, tenants: Tenants | undefined, control: Hono | undefined): Hono {
  const app = new Hono()
  app.all('*', ({ req, env }) => {
    const controlled = req.path === controlPrefix || req.path.startsWith(`${controlPrefix}/`)
    if (control && controlled) return control.fetch(req.raw, env)
    return (tenants?.ofPath(req.path)?.handle.app ?? root).fetch(req.raw, env)
  })
  app.onError((error) => {
    throw error
  })
  return app
}
