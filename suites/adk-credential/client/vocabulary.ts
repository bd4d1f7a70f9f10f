/** Names that recordings and their readers share. */

/** Requests of the client application to the API of the agent. */
export const apiChannel = 'api'
/** Requests to the two routes at which a credential is made, in the dialect of responses. */
export const consentChannel = 'consent'

/** What every answer of the agent to its user begins with, so that what is shown of it is known. */
export const finalText = 'Here is what I found'

/** What the agent answers where nothing else was planned. */
export const idleText = 'I am listening.'
