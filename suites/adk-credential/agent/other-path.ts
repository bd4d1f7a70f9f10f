/** The path of a URL at the provider that nobody was configured with. */
export const otherPath = '/another/token'
