/** Names that recordings and their readers share. */

/** The channel of requests to the site behind the URLs. */
export const pageChannel = 'page'
