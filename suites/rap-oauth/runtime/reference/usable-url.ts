/** Which links may be put before a user. */

/** Nothing that is invisible, breaks a line or turns the reading direction of what is shown. */
const unshowable = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u
const httpsAuthority = /^https:\/\/([^/?#]+)/i

/**
 * True for an absolute https URL without userinfo (RAP OAuth, Security Considerations; the rest is
 * what RFC 3986 §7.6 warns of). The text itself is judged too: `new URL` alone would silently
 * repair spaces, line breaks and backslashes.
 */
export function isUsableUrl(text: string): boolean {
  const authority = httpsAuthority.exec(text)?.[1]
  if (authority === undefined || /[@\\]/.test(authority) || unshowable.test(text)) return false
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
