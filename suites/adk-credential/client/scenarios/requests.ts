import { asNotOffered, Unreached, type Need } from '../../../../harness/engine/index.ts'
import type { AskOptions } from '../script.ts'
import type { Call } from '../session.ts'
import type { Client } from '../test-bed.ts'
import {
  answersById,
  carriesConfig,
  carriesConfigOfAnswered,
  passesOnCallback,
  passesOnCallbackOfAnswered,
  staysInSessionOfAnswered,
} from '../answer-checks.ts'
import { answersEvery, check, detectsRequest, opensUnaltered } from '../checks.ts'
import type { Declared } from '../configuration.ts'
import { parameter } from '../view.ts'
import { control, scenario } from './define.ts'

const callsOnly = ({ dialect }: Declared): string | undefined =>
  dialect === 'call' ? undefined : 'a request by a functionResponse has no such form'

interface Form {
  readonly id: string
  readonly title: string
  readonly ask: AskOptions
  readonly callsOnly?: true
}

const forms: readonly Form[] = [
  {
    id: 'request-in-snake-case',
    title: 'the members of the request are named as by the agent in JavaScript',
    ask: { snake: true },
    callsOnly: true,
  },
  {
    id: 'request-for-toolset',
    title: 'the request is for a set of tools, before any call, in content without a role',
    ask: { toolset: true },
    callsOnly: true,
  },
  {
    id: 'request-among-events',
    title:
      'text, partial events, unknown members and events without content are around the request',
    ask: { chatty: true },
  },
  {
    id: 'empty-redirect',
    title: 'the redirect_uri of the authorization URL is empty',
    ask: { redirectUri: '' },
  },
  {
    id: 'state-with-reserved-characters',
    title: 'the state holds characters that come back encoded in the callback',
    ask: { reservedState: true },
  },
]

export const requestForms = forms.map(({ id, title, ask, callsOnly: only }) =>
  scenario({
    id,
    title,
    control,
    ...(only ? { notApplicable: callsOnly } : {}),
    async drive({ open }) {
      const client = await open()
      const call = await client.begin({ asks: [ask] })
      await call.complete()
      await call.answered()
    },
    checks: [
      check('adk-credential/client/request-detected', 'notices the request', detectsRequest()),
      check(
        'adk-credential/client/auth-uri-unaltered',
        'opens the URL with one redirect URI',
        opensUnaltered(),
      ),
      check(
        'adk-credential/client/request-answered',
        'answers when the user has come back',
        answersEvery(1),
      ),
      check('adk-credential/client/answer-id', 'answers with the id of the request', answersById),
      check(
        'adk-credential/client/answer-carries-auth-config',
        'answers with the AuthConfig',
        carriesConfig,
      ),
      check('adk-credential/client/callback-verbatim', 'passes the callback on', passesOnCallback),
    ],
  }),
)

/** A second request, with a redirect URI that follows from the one of the client application in the first. */
async function askedLater(
  client: Client,
  redirectOf: (own: string | undefined) => string,
): Promise<Call> {
  const first = await client.begin()
  const redirectUri = redirectOf(parameter(await first.opened(), 'redirect_uri'))
  await first.complete()
  await first.answered()
  return client.begin({ asks: [{ redirectUri }] })
}

export const presetRedirect = scenario({
  id: 'preset-redirect',
  title:
    'the authorization URL of a later request has the redirect URI of the client application already',
  control,
  async drive({ open, observe }) {
    const second = await askedLater(await open(), (own = '') => own)
    await second.opened()
    await observe()
  },
  checks: [
    check(
      'adk-credential/client/request-detected',
      'notices a second request',
      detectsRequest('call-2'),
    ),
    check(
      'adk-credential/client/auth-uri-unaltered',
      'keeps the redirect URI that is there',
      opensUnaltered('call-2'),
    ),
  ],
})

/** The same place, so that the browser comes back to it: what the agent has registered may have a query (RFC 6749 §3.1.2). */
function withQuery(redirectUri: string | undefined): string {
  if (redirectUri === undefined) throw new Unreached('no redirect URI of the client is known')
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}of=agent`
}

/** Who comes back to one place alone may refuse another one. */
const openedElsewhere: Need = {
  what: 'an opened URL whose redirect URI has a query of the agent',
  seen: () => undefined,
}

export const presetRedirectWithQuery = scenario({
  id: 'preset-redirect-with-query',
  title: 'the redirect URI that is there already is that of the client application, with a query',
  control,
  needs: openedElsewhere,
  async drive({ open, observe }) {
    const second = await askedLater(await open(), withQuery)
    await second.opened().catch(asNotOffered)
    await observe()
  },
  checks: [
    check(
      'adk-credential/client/auth-uri-unaltered',
      'keeps the redirect URI that is there, and puts none of its own in its place',
      opensUnaltered('call-2'),
    ),
  ],
})

export const twoRequests = scenario({
  id: 'two-requests',
  title: 'two credentials are asked for in one event',
  control,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin({ asks: [{}, {}] })
    const first = await call.openedFirst()
    await call.complete('approve', first)
    await call.complete('approve', 1 - first)
    await call.answered(0)
    await call.answered(1)
  },
  checks: [
    check(
      'adk-credential/client/every-request-answered',
      'opens and answers both',
      answersEvery(2),
    ),
    check('adk-credential/client/answer-id', 'answers the first with its id', answersById),
    check(
      'adk-credential/client/answer-carries-auth-config',
      'answers each with its own AuthConfig',
      carriesConfigOfAnswered(2),
    ),
    check(
      'adk-credential/client/callback-verbatim',
      'passes each callback on with its own request',
      passesOnCallbackOfAnswered(2),
    ),
  ],
})

/** Events are those of every turn, whatever it was that came before. */
export const requestInAnswer = scenario({
  id: 'request-in-answer',
  title: 'the answer to a credential asks for another one',
  control,
  async drive({ open }) {
    const client = await open()
    const call = await client.begin({ afterwards: [{}] })
    await call.complete()
    await call.answered()
    await call.lookFor(1)
    await call.complete('approve', 1)
    await call.answered(1)
  },
  checks: [
    check(
      'adk-credential/client/request-detected',
      'notices the request in it',
      detectsRequest('call-1', 1),
    ),
    check(
      'adk-credential/client/every-request-answered',
      'opens and answers both',
      answersEvery(2),
    ),
    check(
      'adk-credential/client/answer-carries-auth-config',
      'answers each with its own AuthConfig',
      carriesConfigOfAnswered(2),
    ),
    check(
      'adk-credential/client/callback-verbatim',
      'passes each callback on with its own request',
      passesOnCallbackOfAnswered(2),
    ),
    check(
      'adk-credential/client/same-session',
      'answers each in the session that asked',
      staysInSessionOfAnswered(2),
    ),
  ],
})
