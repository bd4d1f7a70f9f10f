/** Words by which a form asks for what grants access. */

/**
 * Whether a field is for a secret, by its name, title and description; one that takes numbers alone counts tokens, and one
 * of another kind of token says so somewhere.
 */
export function isForSecret(texts: readonly string[], counts: boolean): boolean {
  const words = texts.map(inWords)
  if (words.some((each) => secret.test(each))) return true
  if (counts || words.some((each) => otherwise.test(each))) return false
  return words.some((each) => isSecret.test(each))
}

/** Whether a message asks for one, in English. */
export function asksForSecret(message: string): boolean {
  return asksFor.test(message) || (asksForToken.test(message) && !otherwise.test(message))
}

/** camelCase and snake_case as words. */
function inWords(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** What grants access, unless what follows says that it is something about it: the name of a key is none. */
const secretWords =
  '(?:password|passphrase|passwd|secret|credentials?|api[ -]?key|private[ -]?key|' +
  '(?:access|refresh|bearer|api|auth|personal)[ -]?token|authorization[ -]?code|(?:credit[ -]?)?card[ -]?number|cvv)' +
  '\\b(?![ -](?:names?|labels?|types?|hints?|expir\\w+|lifetimes?|scopes?|polic\\w+|managers?)\\b)'
const secret = new RegExp(`\\b${secretWords}`, 'i')

/** Words of many meanings, which are a secret where they are all that is said: "your GitHub token", "card PIN". */
const noPart = '(?!(?:names?|labels?|types?|of|for|about|to)\\b)'
const ambiguous =
  `(?:${noPart}[\\w'’.-]+ ){0,3}(?:token|pat|otp|totp|one[ -]?time[ -]?(?:pass)?code)` +
  '|(?:(?:user|account|login|security|access|bank|card|sim) ){0,2}pin'
const isSecret = new RegExp(`^(?:(?:the|your|an?) )?(?:${ambiguous})[\\s.:*]*(?:\\(.*\\))?$`, 'i')
/** What tokens and pins are that grant nothing. */
const otherwise =
  /\b(?:page|pagination|next|cursor|continu\w+|sync|symbol|ticker|coins?|crypto\w*|currency|contract|swap|csrf|design|device|push|stop|search|query|map|board|postal|zip|address|location)\b/i

const asks =
  '(?<!\\b(?:not|never|don.t) )\\b(?:enter|paste|provide|supply|send|type in|give us|tell us)\\s+'
const asksFor = new RegExp(
  `${asks}(?:(?!names?\\b|labels?\\b|of\\b|for\\b)[\\w'’-]+\\s+){0,4}?${secretWords}`,
  'i',
)
const asksForToken = new RegExp(
  `${asks}(?:your|the) (?:${noPart}[\\w'’-]+ ){0,3}token(?=\\s*(?:[.,;:!?)]|here\\b|below\\b|$))`,
  'i',
)
