/** The page on which a person decides: who asks, for what, as whom to answer, and how to misbehave. */
import type { Authorization } from './authorization.ts'
import { faults, isFaultId } from './faults/index.ts'
import { isAnonymous, type Fault } from './faults/fault.ts'
import { escape, page } from './pages.ts'
import type { Reply } from './reply.ts'
import type { User } from './users.ts'

/** What is shown beside the request itself. */
export interface ConsentPageOptions {
  readonly clientName: string
  readonly users: readonly User[]
}

/** The consent page. Its form posts to the decision endpoint, whose address is relative to the page's. */
export function consentPage(
  { id, request }: Authorization,
  { clientName, users }: ConsentPageOptions,
): Reply {
  return page(
    `Authorize ${clientName}`,
    `<h1>${escape(clientName)} asks for access</h1>
<p>Client <code>${escape(request.clientId)}</code>. You will return to ${destination(request.redirectUri)}.</p>
<form method="post" action="${escape(id)}/decision">
<fieldset>
<legend>It wants to use</legend>
${request.scopes.map(scopeChoice).join('\n')}
<input type="hidden" name="scopes" value="">
</fieldset>
<p><label for="subject">Signed in as</label>
<select id="subject" name="subject">
${users.map(userOption).join('\n')}
</select></p>
<details>
<summary>Misbehave</summary>
<p><label for="faults">Fault for this authorization, its code and its tokens</label>
<select id="faults" name="faults">
<option value="">none</option>
${faultOptions}
</select></p>
</details>
<p class="actions"><button name="action" value="approve">Approve</button>
<button name="action" value="deny" class="other">Deny</button></p>
</form>
<p class="note">A mock OAuth provider: nothing here is real.</p>`,
  )
}

const destination = (redirectUri: string | undefined) =>
  redirectUri === undefined ? 'your device' : `<code>${escape(redirectUri)}</code>`

const scopeChoice = (scope: string) =>
  `<label class="choice"><input type="checkbox" name="scopes" value="${escape(scope)}" checked> <code>${escape(scope)}</code></label>`

const userOption = ({ subject, name }: User) => {
  const shown = name === undefined ? subject : `${name} (${subject})`
  return `<option value="${escape(subject)}">${escape(shown)}</option>`
}

const all = Object.keys(faults)
  .filter(isFaultId)
  .map((id): [id: string, fault: Fault] => [id, faults[id]])
  .filter(([, fault]) => !isAnonymous(fault))

const endpoints = [...new Set(all.map(([, { endpoint }]) => endpoint))]

const faultOption = ([id, { description }]: [string, Fault]) =>
  `<option value="${escape(id)}">${escape(`${id}: ${description}`)}</option>`

const faultOptions = endpoints
  .map((endpoint) => {
    const options = all.filter(([, fault]) => fault.endpoint === endpoint).map(faultOption)
    return `<optgroup label="${escape(endpoint)}">\n${options.join('\n')}\n</optgroup>`
  })
  .join('\n')
