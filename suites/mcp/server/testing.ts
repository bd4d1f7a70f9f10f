/** Examples of what is asked of callers' tokens, written once for every profile that asks it. */

import type { Cases, Recorded } from '../../testing.ts'
import type { TokenRows } from './token-demand.ts'

type Headers = Readonly<Record<string, string>>

/** A recording of a server whose callers have tokens. */
export interface TokenRecording extends Recorded {
  on(call: string): this
  after(ms: number): this
  step(action: string, detail?: Record<string, unknown>): this
  /** A connection whose `initialize` was answered. */
  connect(connection?: string, headers?: Headers): this
  /** A new call: `call-1`, `call-2` ... */
  begin(
    options?: { user?: string; connection?: string; headers?: Headers },
    status?: number | 'open' | 'refused',
  ): this
  /** Somebody asks for the stream of a session. */
  listens(status: number | 'open', headers?: Headers): this
  /** The user authorizes, and the server redeems that. */
  authorized(): this
  access(): this
  result(): this
  failed(text?: string): this
}

export interface ExampleParts<R extends TokenRecording> {
  readonly rows: TokenRows
  readonly recording: (scenario?: string) => R
  /** Has the user asked by the usual way. */
  readonly ask: (t: R) => R
  /** All ways, by what they are called. */
  readonly asking: Readonly<Record<string, (t: R) => R>>
}

type Tables<D> = Readonly<Record<string, Readonly<Record<string, Cases<D>>>>>

const headers = { authorization: 'Bearer [secret access_token-9]' }
const inSession = { 'mcp-session-id': 's' }

export function tokenExamples<R extends TokenRecording, D>({
  rows,
  recording,
  ask,
  asking,
}: ExampleParts<R>) {
  /** The same recording, asked in each way. */
  const asked = (make: () => R): Record<string, R> =>
    Object.fromEntries(Object.entries(asking).map(([how, by]) => [how, by(make())]))
  const served = (t: R): R => ask(t).authorized().access().result()
  const control = served(recording('a-control').begin())
  const by = (t: R) => [t, {}, control] as const
  const byEach = (all: Record<string, R>) =>
    Object.fromEntries(Object.entries(all).map(([name, t]) => [name, by(t)]))

  const begun = () => recording().connect().begin()
  const withoutToken: Tables<D> = {
    'without-token': {
      [rows.demanded]: {
        pass: {
          'the handshake is refused': recording().begin({}, 401),
          'the call is refused': recording().connect().begin({}, 401),
        },
        violation: {
          'the handshake is forbidden': recording().begin({}, 403),
          'the call is served': begun().result(),
          'the call fails in words': begun().failed('log in'),
          ...asked(begun),
        },
        inconclusive: {
          'nothing was sent': recording(),
          'no answer came': recording().begin({}, 'open'),
          'the server is in trouble': recording().begin({}, 503),
          'the refusal is that of somebody with a token': recording().begin({ headers }, 401),
        },
      },
    },
  }

  const own = (session?: Headers) =>
    served(recording().connect('connection-1', session).begin({ headers }))
      .begin({ headers })
      .result()
  const other = { user: 'user-2', connection: 'connection-2', headers }
  const foreignSession: Tables<D> = {
    'foreign-session': {
      [rows.notBySession]: {
        pass: {
          'the session is refused': own(inSession).begin(other, 404),
          'the other user is asked': ask(own(inSession).begin(other)),
          'there are no sessions': own(),
        },
        violation: {
          'the other user is served': own(inSession)
            .begin(other)
            .on('call-1')
            .access()
            .on('call-3')
            .result(),
        },
        inconclusive: {
          'nobody has authorized': begun().failed(),
          'nobody came': own(inSession),
          'the other call was not answered': own(inSession).begin(other, 'refused'),
        },
      },
    },
  }

  const flawed: Cases<D> = {
    pass: {
      'the handshake is refused': by(recording().begin({}, 401)),
      'the call is refused': by(recording().connect().begin({}, 403)),
      'its user was asked in the control': [
        recording().begin({}, 401),
        {},
        ask(recording('a-control').begin()),
      ],
      'the call fails in words': by(begun().failed('log in')),
    },
    violation: { ...byEach(asked(begun)), 'the call is served': by(begun().result()) },
    inconclusive: {
      'there is no control': recording().begin({}, 401),
      'its user was not asked in it': [
        recording().begin({}, 401),
        {},
        recording().begin().failed(),
      ],
      'there was no answer': by(recording().connect().begin({}, 'open')),
    },
  }

  const first = () => served(recording().connect().begin({ headers }))
  const next = { connection: 'connection-2' }
  const again = { ...next, headers }
  const known = () => recording().connect().begin({ headers })
  const listened = () => ask(recording().connect('connection-1', inSession).begin({ headers }))
  const ownSession: Tables<D> = {
    'session-without-token': {
      [rows.demanded]: {
        pass: {
          'it is refused': first().begin(next, 401),
          'the session is none without a token': first().begin(next, 404),
          'there are no sessions, and no handshake was made': first().begin(next, 400),
          'its user was only asked with a token': ask(known()).begin(next, 401),
        },
        violation: {
          'it is served': first().begin(next).on('call-1').access().on('call-2').result(),
          'its user is asked': ask(first().begin(next)),
          'it is forbidden': first().begin(next, 403),
          'it fails in words': first().begin(next).failed('log in'),
        },
        inconclusive: {
          'nobody went on': first(),
          'nobody was served or asked with a token': known().failed().begin(next, 401),
          'it was not answered': first().begin(next, 'open'),
          'the server is in trouble': first().begin(next, 503),
        },
      },
    },
    'session-stream-without-token': {
      [rows.demanded]: {
        pass: {
          'it is refused': listened().listens(401),
          'the session is none without a token': listened().listens(404),
          'there are no streams': listened().listens(405),
          'there are no sessions': ask(known()),
        },
        violation: {
          'there is a stream': listened().listens(200),
          'there is one already': listened().listens(409),
        },
        inconclusive: {
          'nobody asked for it': listened().listens(200, headers),
          'it was not answered': listened().listens('open'),
          'the server is in trouble': listened().listens(503),
        },
      },
    },
    'session-token-altered': {
      [rows.valid]: {
        pass: {
          'it is refused': by(first().begin(again, 401)),
          'the session is over': by(first().begin(again, 404)),
          'it fails in words': by(first().begin(again).failed('log in')),
        },
        violation: {
          'it is served': by(first().begin(again).result()),
          ...byEach(asked(() => first().begin(again))),
        },
        inconclusive: {
          'there is no control': first().begin(again, 401),
          'nobody went on': by(first()),
          'nobody was served or asked with the right one': by(known().failed().begin(again, 401)),
          'it was not answered': by(first().begin(again, 'open')),
        },
      },
    },
  }

  const connected = () => recording().step('connect', { connection: 'connection-1', lifetime: 10 })
  const expired = () => ask(connected().begin()).failed().after(11_000)
  const expiredAfterUse: Tables<D> = {
    'token-expired-after-use': {
      [rows.valid]: {
        pass: {
          'it is refused': expired().begin({}, 401),
          'the session is over': expired().begin({}, 404),
          'the call fails in words': expired().begin().failed('log in'),
          'it was served before': connected().begin().result().after(11_000).begin({}, 401),
          ...Object.fromEntries(
            Object.entries(asking).map(([how, way]) => [
              `${how}, before`,
              way(connected().begin()).after(11_000).begin({}, 401),
            ]),
          ),
        },
        violation: {
          ...asked(() => expired().begin()),
          'the call is served': expired().begin().result(),
        },
        inconclusive: {
          'it had not expired yet': ask(ask(connected().begin()).failed().after(1000).begin()),
          'it was never used': connected().begin({}, 401).after(11_000).begin({}, 401),
          'it was used too late': ask(ask(connected().after(11_000).begin()).begin()),
          'nobody called again': expired(),
          'it was not answered': expired().begin({}, 'open'),
          'the server is in trouble': expired().begin({}, 503),
        },
      },
    },
  }

  return {
    access: { ...withoutToken, ...foreignSession },
    ownSession,
    expiredAfterUse,
    /** The same of every flaw. */
    flawed: (scenarios: readonly { readonly id: string }[]): Tables<D> =>
      Object.fromEntries(scenarios.map(({ id }) => [id, { [rows.valid]: flawed }])),
  }
}
