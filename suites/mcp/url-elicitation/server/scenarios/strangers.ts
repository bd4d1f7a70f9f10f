import type { RecordedEvent, Transcript } from '../../../../../harness/engine/index.ts'
import { bindsNothing, check } from '../checks.ts'
import type { Call } from '../session.ts'
import type { Fixtures } from '../test-bed.ts'
import { needsLogin } from '../conditions.ts'
import { control, scenario } from './define.ts'

/** Somebody else opens the URL of a user's call and authorizes; then the user calls again. */
async function openedByAnother(
  fixtures: Fixtures,
  { loggedIn }: { readonly loggedIn: boolean },
): Promise<void> {
  const { begin, user, newUser, login, openAsFarAsPossible, mark } = fixtures
  const call = begin(user)
  const url = await call.asked()
  const other = newUser('other')
  if (loggedIn) await login(other)
  mark('opened')
  // Whoever is refused may try once more.
  for (let times = 0; times < 2; times += 1) await openAsFarAsPossible(other, call, url)
  await callAgain(fixtures, call)
}

/** The user opens the URL, and passes on where it led to: somebody else authorizes there, and comes back. */
async function finishedByAnother(fixtures: Fixtures): Promise<void> {
  const { begin, user, newUser, login, mark } = fixtures
  const call = begin(user)
  const authorization = await user.open(call)
  const other = newUser('other')
  await login(other)
  mark('opened')
  await other.follow(await other.decide(call, authorization))
  await callAgain(fixtures, call)
}

/**
 * Another user's browser is brought the way back of a login that the user began, and then opens the URL of a call of theirs:
 * whoever takes it for logged in as the initiator finds nobody else there (RFC 6749 §10.12).
 */
async function loggedInByAnother(fixtures: Fixtures): Promise<void> {
  const { begin, user, newUser, beginLogin, openAsFarAsPossible, mark } = fixtures
  const login = await beginLogin(user)
  const other = newUser('other')
  mark('brought')
  await other.follow(login)
  const call = begin(user)
  const url = await call.awaitUrl()
  await call.answer('accept')
  mark('opened')
  await openAsFarAsPossible(other, call, url)
  await callAgain(fixtures, call)
}

async function callAgain(
  { begin, user, observeWhilePending }: Fixtures,
  call: Call,
): Promise<void> {
  await call.retry()
  await observeWhilePending()
  const again = begin(user)
  await again.answered()
  await observeWhilePending()
}

function marked(t: Transcript, name: string): RecordedEvent | undefined {
  return t.steps('mark').find(({ detail }) => detail['name'] === name)
}

/** The first page that the stranger's browser got of the server, or the provider sent it to. */
function openedThen(t: Transcript): RecordedEvent | undefined {
  const moment = marked(t, 'opened')
  return moment && t.steps('visited', 'call-1').find(({ seq }) => seq > moment.seq)
}

/** The same, where the way back of the login had been answered to that browser. */
function openedAfterLogin(t: Transcript): RecordedEvent | undefined {
  const moment = marked(t, 'brought')
  const back = moment && t.steps('visited').find(({ seq }) => seq > moment.seq)
  const isLogin = back?.call?.startsWith('login-') === true && back.detail['ended'] !== 'failure'
  return isLogin ? openedThen(t) : undefined
}

const otherBrowser = scenario({
  id: 'other-browser',
  title: 'another user, logged in as somebody else, opens the URL and authorizes',
  control,
  notApplicable: needsLogin,
  drive: (fixtures) => openedByAnother(fixtures, { loggedIn: true }),
  checks: [
    check(
      'mcp-url-elicitation/server/same-user',
      'binds nothing of another user to the initiator',
      bindsNothing(openedThen),
    ),
  ],
})

const strangeBrowser = scenario({
  id: 'strange-browser',
  title: 'the URL is opened in a browser in which nobody has logged in',
  control,
  notApplicable: needsLogin,
  drive: (fixtures) => openedByAnother(fixtures, { loggedIn: false }),
  checks: [
    check(
      'mcp-url-elicitation/server/not-preauthenticated',
      'binds nothing to the initiator',
      bindsNothing(openedThen),
    ),
  ],
})

const finishedInAnother = scenario({
  id: 'finished-in-another-browser',
  title: 'the user opens the URL, and another one, logged in as somebody else, authorizes',
  control,
  notApplicable: needsLogin,
  drive: finishedByAnother,
  checks: [
    check(
      'mcp-url-elicitation/server/same-user',
      'binds nothing of another user who comes back',
      bindsNothing(openedThen),
    ),
  ],
})

const loginOfAnother = scenario({
  id: 'login-of-another-browser',
  title:
    'another user’s browser comes back from a login that the user began, opens the URL and authorizes',
  control,
  notApplicable: needsLogin,
  drive: loggedInByAnother,
  checks: [
    check(
      'mcp-url-elicitation/server/same-user',
      'takes no browser for logged in by a login that began in another one',
      bindsNothing(openedAfterLogin),
    ),
  ],
})

export const strangerScenarios = [otherBrowser, strangeBrowser, finishedInAnother, loginOfAnother]
