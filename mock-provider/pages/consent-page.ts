/** The page on which a person decides: who asks, for what, as whom to answer, and how to misbehave. */
import { html } from 'hono/html'
import type { Authorization } from '../authorization/authorization.ts'
import type { User } from '../authorization/user.ts'
import { isAnonymous, type Fault } from '../faults/fault.ts'
import { faults, isFaultId } from '../faults/index.ts'
import type { Reply } from '../http/reply.ts'
import type { Branding } from './branding.ts'
import { ownPage, page } from './pages.ts'

/** What is shown beside the request itself. */
export interface ConsentPageOptions {
  readonly clientName: string
  readonly users: readonly User[]
  /** Who is expected to answer. */
  readonly selected?: string | undefined
  readonly branding?: Branding | undefined
}

/** The consent page. Its form posts to the decision endpoint, whose address is relative to the page's. */
export async function consentPage(
  { id, request }: Authorization,
  { clientName, users, selected, branding }: ConsentPageOptions,
): Promise<Reply> {
  const action = `${id}/decision`
  if (branding?.loginPage) {
    const { clientId, redirectUri, scopes } = request
    const login = { clientId, clientName, redirectUri, scopes, users, selected, action }
    return ownPage(await branding.loginPage(login))
  }
  return page(
    `Authorize ${clientName}`,
    html`<h1>${clientName} asks for access</h1>
      <p>Client <code>${request.clientId}</code>. ${returning(request.redirectUri)}</p>
      <form method="post" action="${action}">
        <fieldset>
          <legend>It asks for these permissions</legend>
          ${request.scopes.map(scopeChoice)}
          <input type="hidden" name="scopes" value="" />
        </fieldset>
        <p>
          <label for="subject">Signed in as</label>
          <select id="subject" name="subject">
            ${peopleOf(users, selected).map((user) => userOption(user, user.subject === selected))}
          </select>
        </p>
        <details>
          <summary>Misbehave</summary>
          <p>
            <label for="faults">Fault for this authorization, its code and its tokens</label>
            <select id="faults" name="faults">
              <option value="">none</option>
              ${faultOptions}
            </select>
          </p>
          <p>
            <label for="lifetime">Access tokens live</label>
            <select id="lifetime" name="access_token_lifetimes">
              <option value="">as usual</option>
              <option value="0">not at all: they have expired</option>
              <option value="10">10 seconds</option>
              <option value="60">a minute</option>
            </select>
          </p>
        </details>
        <p class="actions">
          <button name="action" value="approve">Approve</button>
          <button name="action" value="deny" class="other">Deny</button>
        </p>
      </form>
      <p class="note">A mock OAuth provider: nothing here is real.</p>`,
    { branding },
  )
}

const returning = (redirectUri: string | undefined) =>
  redirectUri === undefined
    ? 'You will return to your device.'
    : html`You will return to <code>${redirectUri}</code>.`

const scopeChoice = (scope: string) =>
  html`<label class="choice"
    ><input type="checkbox" name="scopes" value="${scope}" checked /> <code>${scope}</code></label
  >`

/** The users, and whoever else is expected. */
const peopleOf = (users: readonly User[], selected: string | undefined) =>
  selected === undefined || users.some(({ subject }) => subject === selected)
    ? users
    : [...users, { subject: selected }]

const userOption = ({ subject, name }: User, selected: boolean) => {
  const shown = name === undefined ? subject : `${name} (${subject})`
  return html`<option value="${subject}" ${selected ? 'selected' : ''}>${shown}</option>`
}

const all = Object.keys(faults)
  .filter(isFaultId)
  .map((id): [id: string, fault: Fault] => [id, faults[id]])
  .filter(([, fault]) => !isAnonymous(fault))

const endpoints = [...new Set(all.map(([, { endpoint }]) => endpoint))]

const faultOption = ([id, { description }]: [string, Fault]) =>
  html`<option value="${id}">${id}: ${description}</option>`

const faultOptions = endpoints.map((endpoint) => {
  const options = all.filter(([, fault]) => fault.endpoint === endpoint).map(faultOption)
  return html`<optgroup label="${endpoint}">${options}</optgroup>`
})
