/** Tells for anything that a runtime sends or shows which scenario, call and conversation it belongs to. */

import {
  anyName,
  jsonOf,
  type Body,
  type NewName,
  type Recorder,
} from '../../../harness/engine/index.ts'

export interface Scope {
  readonly recorder: Recorder
  readonly call?: string
  readonly conversation?: string
}

/** What a token stands for; it is the beginning of the token. */
export type TokenKind = 'ref' | 'conv' | 'user' | 'result' | 'forged' | 'url' | 'group' | 'call'

const shape = /(?:ref|conv|user|result|forged|url|group|call)-[0-9a-f]{24}/g

/** The tokens in a text, in the order of their appearance. */
export function tokensIn(text: string): string[] {
  return text.match(shape) ?? []
}

/** The tokens in a body: in its strings if it is JSON, whichever characters are escaped there (RFC 8259 §7). */
export function tokensOf(body: Body | undefined): string[] {
  const value = jsonOf(body)
  // What is no JSON, or nested too deeply to be walked, is read as it is.
  return tokensIn(value === undefined ? (body?.text ?? '') : JSON.stringify(value))
}

export class Attribution {
  readonly #scopes = new Map<string, Scope>()
  readonly #newName: NewName

  constructor(newName: NewName = anyName) {
    this.#newName = newName
  }

  /** Makes a token that stands for the scope. */
  issue(kind: TokenKind, scope: Scope): string {
    const token = this.#newName(kind)
    this.#scopes.set(token, scope)
    return token
  }

  /** Lets a text of somebody else, such as the id of a tool call, stand for the scope. */
  bind(text: string, scope: Scope): void {
    this.#scopes.set(text, scope)
  }

  scopeOf(text: string): Scope | undefined {
    return this.#scopes.get(text)
  }

  /** The scopes of all known tokens in a text, one for each recorder and conversation. */
  scopesIn(text: string): Scope[] {
    const found = new Map<string, Scope>()
    for (const token of tokensIn(text)) {
      const scope = this.#scopes.get(token)
      if (!scope) continue
      const key = `${scope.recorder.name} ${scope.conversation ?? ''}`
      const known = found.get(key)
      if (!known || (!known.call && scope.call)) found.set(key, scope)
    }
    return [...found.values()]
  }
}
