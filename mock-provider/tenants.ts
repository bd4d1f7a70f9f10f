/** Any number of issuers behind one origin, each below a path of its own and with nothing in common. */
import { createIssuer, type Issuer } from './issuer.ts'
import { shareOf } from './limits.ts'
import { resolveOptions, type MockProviderOptions, type TenantOptions } from './options.ts'
import { partition } from './storage/partition.ts'

export interface Tenants {
  names(): readonly string[]
  /**
   * The tenant, created if need be.
   * @throws TypeError for a name that cannot be part of a path, or means something else there
   */
  open(name: string): Issuer
  get(name: string): Issuer | undefined
  /** Forgets a tenant and everything it kept, also where it was opened by another instance; tells whether there was one. */
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
  const issuerOf = (name: string) => `${origin}/${name}`
  const close = (name: string) => {
    const tenant = tenants.get(name)
    tenants.delete(name)
    tenant?.state.faults.releaseAll()
    return tenant
  }
  const evict = (name: string) => {
    const tenant = close(name)
    // other instances may be using it where they share a storage across a network
    if (tenant?.state.storage.immediate) void tenant.state.storage.clear()
  }
  const open = (name: string) => {
    const known = tenants.get(name)
    if (known) return use(name, known)
    if (!isName(name)) throw new TypeError(`unusable name of a tenant: ${JSON.stringify(name)}`)
    const [oldest] = tenants.keys()
    if (tenants.size >= most && oldest !== undefined) evict(oldest)
    const limits = shareOf(settings.limits, most)
    const own = { issuer: issuerOf(name), limits, signingKey: undefined }
    return use(name, createIssuer(resolveOptions({ ...options, ...own })))
  }
  return {
    names: () => [...tenants.keys()],
    open,
    get: (name) => tenants.get(name),
    async remove(name) {
      const tenant = close(name)
      const kept =
        options.storage && isName(name) ? partition(options.storage, issuerOf(name)) : undefined
      const storage = tenant?.state.storage ?? kept
      const known = tenant !== undefined || (await storage?.get('issuer', 'key')) !== undefined
      await storage?.clear()
      return known
    },
    ofPath(path) {
      const name = nameIn(path, root.paths)
      if (name === undefined) return undefined
      const known = tenants.get(name)
      if (known) return use(name, known)
      return onFirstUse && isName(name) ? open(name) : undefined
    },
  }
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
