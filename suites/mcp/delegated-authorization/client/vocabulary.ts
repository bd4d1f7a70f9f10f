/** Names of this profile. */

/** What asks the site of the authorization URL for anything: nobody but a browser should. */
export const siteChannel = 'site'
/** What the browser brings back to the client. */
export const browserChannel = 'browser'

/** What a client that can listen on the loopback interface supports. */
export const loopbackOption = 'http://127.0.0.1:{port}/callback'
