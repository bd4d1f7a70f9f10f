/** Names of this profile. */

/** What asks the site of the authorization URL for anything: nobody but a browser should. */
export const siteChannel = 'site'
/** What the browser brings back to the client. */
export const browserChannel = 'browser'
