/** Defects of what is done with tokens. */

import { setTimeout as delay } from 'node:timers/promises'
import { TokenRefused, tools } from '../tools.ts'
import { followingRedirects } from './alter.ts'
import type { Defect } from './defect.ts'

export const tokenDefects: readonly Defect[] = [
  {
    id: 'token-in-query',
    description: 'the API gets the token in the query',
    parts: (defaults) => ({
      callApi: (base, fetch, tool, values, token) =>
        defaults.callApi(
          base,
          (url, init = {}) => {
            const { authorization: _, ...headers } = { ...init.headers }
            const named = new URL(url)
            named.searchParams.set('access_token', token)
            return fetch(named.href, { ...init, headers })
          },
          tool,
          values,
          token,
        ),
    }),
  },
  {
    id: 'owners-cut-short',
    description: 'of the name of a user only the last 16 characters are kept',
    parts: (defaults) => ({
      recordOf: (owner) => defaults.recordOf({ ...owner, user: owner.user.slice(-16) }),
    }),
  },
  {
    id: 'token-of-newest-user',
    description: 'of users whose names end alike, the token of whoever authorized last is used',
    parts: (defaults) => {
      const newest = new Map<string, string>()
      const owners = new Map<string, string>()
      let last = ''
      return {
        matchPending(session, answer) {
          last = session.userId.slice(-16)
          return defaults.matchPending(session, answer)
        },
        async exchangeCode(...args) {
          const owner = last
          const credential = await defaults.exchangeCode(...args)
          owners.set(credential.accessToken, owner)
          newest.set(owner, credential.accessToken)
          return credential
        },
        async callApi(base, fetch, tool, values, token) {
          const owner = owners.get(token)
          if (owner !== undefined) await delay(500)
          const used = newest.get(owner ?? '') ?? token
          return defaults.callApi(base, fetch, tool, values, used)
        },
      }
    },
  },
  {
    id: 'sessions-of-anyone',
    description: 'a session is found by its id alone, and goes on for whoever it began with',
    parts: () => ({ sessionName: (app, _user, id) => `session ${JSON.stringify([app, id])}` }),
  },
  {
    id: 'users-in-lower-case',
    description: 'credentials are kept by the id of the user in lower case',
    parts: (defaults) => ({
      recordOf: (owner) => defaults.recordOf({ ...owner, user: owner.user.toLowerCase() }),
    }),
  },
  {
    id: 'users-cut-at-the-end',
    description: 'of the id of a user only the first 24 characters are kept',
    parts: (defaults) => ({
      recordOf: (owner) => defaults.recordOf({ ...owner, user: owner.user.slice(0, 24) }),
    }),
  },
  {
    id: 'users-as-file-names',
    description: 'credentials are kept by the id of the user with an underscore for every sign',
    parts: (defaults) => ({
      recordOf: (owner) =>
        defaults.recordOf({ ...owner, user: owner.user.replaceAll(/[^A-Za-z0-9]/g, '_') }),
    }),
  },
  {
    id: 'users-before-the-at',
    description: 'of a mail address only what stands before the at sign is kept',
    parts: (defaults) => ({
      recordOf: (owner) => defaults.recordOf({ ...owner, user: owner.user.replace(/@.*/, '') }),
    }),
  },
  {
    id: 'credentials-of-session-ids',
    description: 'a session id stands for the user who has used it first',
    parts: (defaults) => {
      const first = new Map<string, string>()
      return {
        recordOf(owner) {
          const user = first.get(owner.session) ?? owner.user
          first.set(owner.session, user)
          return defaults.recordOf({ ...owner, user })
        },
      }
    },
  },
  {
    id: 'credentials-kept-by-tool',
    description: 'each tool keeps a credential of its own, although their AuthConfig is the same',
    parts: () => ({ credentialKey: ({ name }) => name }),
  },
  {
    id: 'credentials-kept-by-user',
    description: 'a user has one credential, whatever AuthConfig it was granted for',
    parts: () => ({ credentialKey: () => 'all' }),
  },
  {
    id: 'credential-of-newest-key',
    description: 'of the credentials of a user only that of the newest AuthConfig is kept',
    parts: (defaults) => {
      const newest = new Map<string, string>()
      return {
        matchPending(session, answer) {
          const pending = defaults.matchPending(session, answer)
          const tool = tools.find(({ name }) => name === pending?.call.name)
          if (tool) newest.set(session.userId, defaults.credentialKey(tool))
          return pending
        },
        recordOf: ({ key, ...owner }) =>
          defaults.recordOf({ ...owner, key: `${key} beside ${newest.get(owner.user) ?? key}` }),
      }
    },
  },
  {
    id: 'credentials-not-kept',
    description: 'credentials are thrown away after use',
    parts: (defaults) => ({
      recordOf: (owner) => `${defaults.recordOf(owner)} ${crypto.randomUUID()}`,
    }),
  },
  {
    id: 'credentials-forgotten-at-restart',
    description: 'credentials are kept under names that are made up at each start',
    parts: (defaults) => {
      const start = crypto.randomUUID()
      return { recordOf: (owner) => `${start} ${defaults.recordOf(owner)}` }
    },
  },
  {
    id: 'first-credential-after-restart',
    description: 'after a restart the credential that is loaded first serves everybody',
    parts: (defaults) => {
      const saved = new Set<string>()
      let loaded: string | undefined
      return {
        createCipher(key) {
          const { seal, open } = defaults.createCipher(key)
          return {
            seal(name, text) {
              saved.add(name)
              return seal(name, text)
            },
            open(name, sealed) {
              const text = open(name, sealed)
              if (name.startsWith('credential ') && !saved.has(name)) loaded ??= name
              return text
            },
          }
        },
        recordOf: (owner) => loaded ?? defaults.recordOf(owner),
      }
    },
  },
  {
    id: 'credentials-in-the-clear',
    description: 'what is kept is kept as it is',
    parts: () => ({
      createCipher: () => ({ seal: (_name, text) => text, open: (_name, text) => text }),
    }),
  },
  {
    id: 'refresh-not-used',
    description: 'a token that has expired is not refreshed: the user is asked again',
    parts: () => ({ refresh: async () => undefined }),
  },
  {
    id: 'no-leeway',
    description: 'a token is used until the very end of its life',
    parts: () => ({ isExpired: ({ expiresAt }, now) => expiresAt !== null && now >= expiresAt }),
  },
  {
    id: 'rotated-refresh-token-ignored',
    description: 'the refresh token that comes with a refresh is thrown away, the old one kept',
    parts: (defaults) => ({
      async refresh(config, fetch, stale) {
        const fresh = await defaults.refresh(config, fetch, stale)
        return fresh && { ...fresh, refreshToken: stale.refreshToken }
      },
    }),
  },
  {
    id: 'refresh-token-forgotten-unless-replaced',
    description: 'a refresh that brings no new refresh token loses the old one',
    parts: (defaults) => ({
      async refresh(config, fetch, stale) {
        const fresh = await defaults.refresh(config, fetch, stale)
        return fresh?.refreshToken === stale.refreshToken ? { ...fresh, refreshToken: null } : fresh
      },
    }),
  },
  {
    id: 'api-redirect-followed',
    description: 'a redirect of the API is followed, with the token',
    parts: (defaults) => ({
      callApi: (base, fetch, ...rest) => defaults.callApi(base, followingRedirects(fetch), ...rest),
    }),
  },
  {
    id: 'refresh-token-in-query',
    description: 'the refresh token stands in the URL of the token request, too',
    parts: (defaults) => ({
      refresh: (config, fetch, stale) =>
        defaults.refresh(
          config,
          (url, init) => fetch(`${url}?refresh_token=${stale.refreshToken}`, init),
          stale,
        ),
    }),
  },
  {
    id: 'refreshes-at-once',
    description: 'calls that meet at an expired token refresh it each for itself',
    parts: () => ({ createQueue: () => (_about, work) => work() }),
  },
  {
    id: 'refused-token-repeated',
    description: 'a token that the API refuses is presented twenty times more',
    parts: (defaults) => ({
      async callApi(...args) {
        for (let n = 0; n < 20; n += 1) {
          try {
            return await defaults.callApi(...args)
          } catch (error) {
            if (!(error instanceof TokenRefused)) throw error
          }
        }
        return defaults.callApi(...args)
      },
    }),
  },
  {
    id: 'refused-token-is-the-end',
    description: 'when the API refuses a token the call fails, now and ever after',
    parts: () => ({ onRefusal: () => 'fail', isExpired: () => false }),
  },
]
