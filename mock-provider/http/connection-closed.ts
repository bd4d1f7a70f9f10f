/** Signals that an exchange ends without a response. */

/** Rejects a fetch the way a network failure does: it is a `TypeError`, as the Fetch standard says. */
export class ConnectionClosed extends TypeError {
  override readonly name = 'ConnectionClosed'
  readonly by: 'provider' | 'peer'

  constructor(by: 'provider' | 'peer') {
    super('fetch failed')
    this.by = by
  }
}
