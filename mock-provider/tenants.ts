/** Any number of issuers behind one origin, each below a path of its own and with nothing in common. */
import { createIssuer, type Issuer } from './issuer.ts'
import { shareOf } from './limits.ts'
import { resolveOptions, type MockProviderOptions, type TenantOptions } from './options.ts'

export interface Tenants {
  names(): readonly string[]
  /**
   * The tenant, created if need be.
   * @throws TypeError for a name that cannot be part of a path, or means something else there
   */
  open(name: string): Issuer
  get(name: string): Issuer | undefined
  /** Forgets a tenant and everything it kept; tells whether there was one. */
  remove(name: string): Promise<boolean>
  /** The tenant that a path belongs to, created if that is wanted. */
  ofPath(path: string): Issuer | undefined
}

const defaultMost = 100

const nameSyntax = /^[A-Za-z0-9][\w.~-]{0,62}$/

/** Creates tenants below the root issuer, with the same options each. */
export function createTenants(
  root: Issuer,
  options: MockProviderOptions,
  { onFirstUse = true, most = defaultMost }: TenantOptions,
): Tenants {
  const { origin } = new URL(root.handle.issuer)
  const settings = root.state.settings
  // in the order of their last use
  const tenants = new Map<string, Issuer>()
  const isName = (name: string) => nameSyntax.test(name) && !root.paths.has(name)

  const use = (name: string, tenant: Issuer) => {
    tenants.delete(name)
    tenants.set(name, tenant)
    return tenant
  }
  const forget = async (name: string) => {
    const tenant = tenants.get(name)
    tenants.delete(name)
    tenant?.state.faults.releaseAll()
    if (tenant) await tenant.state.storage.clear()
    return tenant !== undefined
  }
  const open = (name: string) => {
    const known = tenants.get(name)
    if (known) return use(name, known)
    if (!isName(name)) throw new TypeError(`unusable name of a tenant: ${JSON.stringify(name)}`)
    const [oldest] = tenants.keys()
    if (tenants.size >= most && oldest !== undefined) evict(tenants, oldest)
    const limits = shareOf(settings.limits, most)
    const issuer = `${origin}/${name}`
    return use(
      name,
      createIssuer(resolveOptions({ ...options, issuer, limits, signingKey: undefined })),
    )
  }
  return {
    names: () => [...tenants.keys()],
    open,
    get: (name) => tenants.get(name),
    remove: forget,
    ofPath(path) {
      const name = nameIn(path, root.paths)
      if (name === undefined) return undefined
      const known = tenants.get(name)
      if (known) return use(name, known)
      return onFirstUse && isName(name) ? open(name) : undefined
    },
  }
}

/** Forgets the oldest tenant in this process; what a shared storage keeps of it stays there. */
function evict(tenants: Map<string, Issuer>, name: string): void {
  tenants.get(name)?.state.faults.releaseAll()
  tenants.delete(name)
}

/**
 * The name of the tenant in a path: its first part when one of an issuer's follows, as
 * `/name/token`; or what comes after a well-known document, as `/.well-known/x/name`.
 */
function nameIn(path: string, paths: ReadonlySet<string>): string | undefined {
  const [, first = '', second, third] = path.split('/')
  if (first === '.well-known') return third
  return second !== undefined && paths.has(second) ? first : undefined
}
