// The SDK's example of a server with one change: whether a token is good is asked of the authorization server of the run, and
// not of the one that it starts itself, whose tokens nobody has.
const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: id, OAUTH_CLIENT_SECRET: secret } = process.env
const { fetch } = globalThis
globalThis.fetch = (url, options) => {
  if (!new Request(url).url.endsWith('/introspect')) return fetch(url, options)
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const headers = new Headers(options?.headers)
  headers.set('authorization', authorization)
  return fetch(`${issuer}/introspect`, { ...options, headers })
}
