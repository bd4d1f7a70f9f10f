/** What the benchmark uses of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (payload: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void
      addResourceScope(resource: string, scope: string): void
      save(ttl: number): Promise<string>
    }
    readonly Session: new (payload: object) => {
      readonly jti: string
      save(ttl: number): Promise<string>
    }
    callback(): RequestListener
  }
}
