/** Reads what a runtime tells the model about a call that is pending (reading 13 of docs/readings.md). */

/** Words that say that a call is under way. */
const inProgress =
  /authori[sz]|oauth|consent|sign(ing)?[- ]?in\b|log(ging)?[- ]?in\b|pending|waiting|await|in[- ]progress|not (yet )?(complete|finished|available|done)|will (follow|arrive|be)|dispatched|running|started|queued|background|asynchron|later/i

/** Words that say that an authorization is what it waits for. */
const authorization =
  /authori[sz]|oauth|consent|sign(ing)?[- ]?in\b|log(ging)?[- ]?in\b|permission|approv|connect (your|the|an) account/i

const failure = /^\s*["']?(error|failed|failure|exception)\b/i

/**
 * What a tool answer to the model amounts to for a call that waits for its user; `undefined` when it merely
 * states that the call is under way. `token` is the unique part of the authorization URL.
 */
export function claimedBy(
  text: string,
  isError: boolean | undefined,
  token: string | undefined,
): string | undefined {
  if (token && text.includes(token)) return 'the authorization URL as the result'
  if (isError === true || failure.test(text)) return 'an error'
  if (/^\s*("")?(null|undefined)?\s*$/.test(text)) return 'an empty result'
  return inProgress.test(text) ? undefined : 'a result that the tool never sent'
}

/** Whether a text tells that an authorization is in progress. */
export function tellsOfAuthorization(text: string): boolean {
  return authorization.test(text)
}
