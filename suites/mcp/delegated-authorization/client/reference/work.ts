/** The values that the steps of this client hand to each other. */

/** A server that the user has configured. */
export interface ServerSpec {
  /** As the user calls it. */
  readonly name: string
  /** Its endpoint, over Streamable HTTP. */
  readonly url?: string | undefined
  /** Or the program that is started for it, over stdio. */
  readonly command?: string | undefined
}

/** What a server wants its user to authorize: `params` of `auth/request` (SEP-1028). */
export interface AuthRequest {
  readonly url: string
  readonly message: string
  readonly redirect_uri_options?: readonly string[] | undefined
}

/** The result: the callback URL, or nothing where the user declined. A type alias, since the SDK wants an index signature. */
export type AuthResult = { readonly url?: string }

/** What a user does with a prompt. */
export type Decision = 'accept' | 'decline'

/** The way to the user. */
export interface UserInterface {
  /** Shows a prompt and waits for the answer; prompts come one after the other. */
  ask(text: string, url: string, question?: string): Promise<Decision>
  /** Shows what came of something. */
  tell(text: string): void
}
