/** Who calls: nobody, somebody with a token that is not valid here, or a user. */

export type Access =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'invalid' }
  | {
      readonly kind: 'user'
      readonly subject: string
      readonly scopes: readonly string[]
    }

/** RFC 6750 §2.1. */
export function bearerToken(request: Request): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Where it is said, with a scope of its own for each thing that can be done. */
export const scopeOfNotes = 'notes:read'

/** Which scopes a user who calls lacks. */
export function missingScopes(access: Access): readonly string[] {
  return access.kind === 'user' && !access.scopes.includes(scopeOfNotes) ? [scopeOfNotes] : []
}
