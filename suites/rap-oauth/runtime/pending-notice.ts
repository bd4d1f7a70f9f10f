/** Reads what a runtime tells the model about a call that is pending (readings 13 and 15 of docs/readings.md). */

/** Words that name an authorization. In other languages the comparison with a plain call tells. */
const authorization =
  /authori[sz]|oauth|consent|sign(ing)?[- ]?in\b|log(ging)?[- ]?in\b|permission|approv|connect (your|the|an) account/i

/** How an error begins, plainly or in JSON. */
const failure = /^\W*(status\W+)?(error|failed|failure|exception|fatal)\b/i

/** Members of an object that are empty: of a failure they say that there is none, of an end that it is to come. */
const emptyMember =
  /(["'])(\w+)\1\s*:\s*(?:null|none|undefined|false|0|""|''|\[\]|\{\})(?=\s*[,}])/gi
const failureName = /^(is_?)?(error|failed|failure|exception|fatal)$/i

/** Words of a failure anywhere in a text. */
const failing =
  /\b(errors?|fail(ed|s|ure)?|exception|unreachable|unavailable|refused|rejected|timed? ?out|expired?|abandoned|(could|can) ?not|unable|gave up|given up)\b|\b[45]\d\d\b/i

/** Words enough to say what a URL is for. */
const sentence = /(?<![\p{L}'’-])\p{L}[\p{L}'’-]*(?:[ \t]+\p{L}[\p{L}'’-]*){2}/u

/** Longest answer that may say nothing, or success alone: on a longer one these expressions would take long. */
const longestBare = 200

const nothing = /^[\s"'`]*(null|undefined|none|nil|\{\s*\}|\[\s*\])?[\s"'`]*$/i
const bareSuccess =
  /^[\W_]*((status|result|success|message)[\W_]+)*(ok|okay|done|success|true|200|completed?)[\W_]*$/i

/** English words that claim an end, and those that put it into the future or take it back. */
const ended =
  /\b(completed|finished|succeeded|successful(ly)?|granted|approved|(has|have|is|was|been) (now )?authori[sz]ed)\b/i
/** What says only that the call is on its way to its tool: that this went well is no end. */
const underWay =
  /\b(success(ful(ly)?)? )?(dispatched|sent|submitted|started|queued|scheduled|accepted|initiated|invoked|delivered)( success(ful(ly)?)?)?\b/gi
const open =
  /\b(until|once|when|after|if|not|never|before|wait\w*|await\w*|pending|will|must|needs?|requir\w*|please|to be|in progress|yet|soon|later|being|asked|request\w*)\b|n't/i

/**
 * What a tool answer to the model amounts to for a call that waits for its user; `undefined` when nothing speaks
 * against its being a statement that the call is under way. `token` is the unique part of the authorization URL.
 */
export function claimedBy(
  text: string,
  isError: boolean | undefined,
  token: string | undefined,
): string | undefined {
  if (token && text.includes(token) && !sentence.test(withoutUrls(text)))
    return 'the authorization URL as the result'
  const said = withoutEmptyMembers(text)
  if (isError === true || failure.test(said)) return 'an error'
  const bare = said.trim()
  if (bare.length <= longestBare) {
    if (nothing.test(bare)) return 'an empty result'
    if (bareSuccess.test(bare)) return 'a bare success'
  }
  // What is a word of its own in a name is one in a text.
  const words = said.replaceAll('_', ' ').replace(underWay, '')
  return ended.test(words) && !open.test(words) ? 'a completion that never happened' : undefined
}

function withoutEmptyMembers(text: string): string {
  return text.replace(emptyMember, (_, quote: string, name: string) =>
    failureName.test(name) ? '' : `${quote}not ${name}${quote}`,
  )
}

function withoutUrls(text: string): string {
  return text.replaceAll(/\bhttps?:[^\s"'<>)\]]+/gi, ' | ')
}

/** Whether a text tells of an authorization, in English. */
export function tellsOfAuthorization(text: string): boolean {
  return authorization.test(text)
}

/** Whether a text tells of an interruption, in English. */
export function tellsOfInterruption(text: string): boolean {
  return /\b(interrupt|cancel|abort)/i.test(text)
}

/** Whether a text tells that something is under way, in English. */
export function tellsOfWaiting(text: string): boolean {
  return /running|pending|progress|under.?way|dispatched|started|queued|wait|later|will follow|in flight/i.test(
    text,
  )
}

/** Whether a text tells of a failure, in English. */
export function tellsOfFailure(text: string): boolean {
  return failing.test(withoutEmptyMembers(text))
}
