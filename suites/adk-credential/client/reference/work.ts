/** The values that the steps of this client application hand to each other. */

export type Fields = Readonly<Record<string, unknown>>

/** A credential that the agent asks for. */
export interface CredentialRequest {
  /** By a functionCall of its own, or by a functionResponse under the id of the paused call. */
  readonly by: 'call' | 'response'
  readonly id: string
  readonly paused: string | undefined
  /** The AuthConfig, as it came. */
  readonly config: Fields
}

/** Whose session it is at the agent. */
export interface Session {
  readonly user: string
  readonly id: string
}

/** A request whose user is on the way. */
export interface Pending {
  readonly request: CredentialRequest
  readonly session: Session
  /** The user of this application who was asked. */
  readonly person: string
  readonly state: string
  readonly redirectUri: string
  /** What the route gave that made the URL, where one did. */
  readonly flowId: string | undefined
}

/** Something that the user reads. */
export interface Item {
  readonly kind: 'said' | 'answer' | 'authorize' | 'notice'
  readonly text: string
  /** To be opened, on a click. */
  readonly url?: string | undefined
}
