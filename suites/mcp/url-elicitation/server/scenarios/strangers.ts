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

/** The first page that the stranger's browser got of the server, or the provider sent it to. */
function openedThen(t: Transcript): RecordedEvent | undefined {
  const moment = t.steps('mark').find(({ detail }) => detail['name'] === 'opened')
  return moment && t.steps('visited', 'call-1').find(({ seq }) => seq > moment.seq)
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

export const strangerScenarios = [otherBrowser, strangeBrowser, finishedInAnother]
