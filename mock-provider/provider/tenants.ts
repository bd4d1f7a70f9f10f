/** Any number of issuers behind one origin, each below a path of its own and with nothing in common. */
import { firstKeyId } from '../crypto/signing-keys.ts'
import { shareOf } from '../storage/limits.ts'
import { partition } from '../storage/partition.ts'
import { createIssuer, type Issuer } from './issuer.ts'
import { resolveOptions, type IssuerOptions } from './options.ts'

/** How tenants come to be, and how many there are. */
export interface TenantOptions {
  /** Whether a request to an unknown tenant creates it. Default: true. */
  readonly onFirstUse?: boolean | undefined
  /**
   * The most tenants at a time. Each keeps a share of `limits` that makes all of them together
   * keep as much as one issuer alone; one more forgets the tenant that was used longest ago.
   * Default: 100.
   */
  readonly most?: number | undefined
}

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

/** Tenants at a time, unless the option says otherwise. */
export const defaultMost = 100

const nameSyntax = /^[A-Za-z0-9][\w.~-]{0,62}$/

/** Creates tenants below the root issuer, with the same options each. */
export function createTenants(
  root: Issuer,
  options: IssuerOptions,
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
      const known =
        tenant !== undefined || (await storage?.get('issuer', firstKeyId('ES256'))) !== undefined
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
