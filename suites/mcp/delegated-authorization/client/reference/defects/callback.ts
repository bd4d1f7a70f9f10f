/** Defects of where the browser comes back to, and of what is returned. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from '../parts.ts'
import type { Defect } from '../variation.ts'

/** Puts something between this client and the wire. */
function sending(
  defaults: Parts,
  also: (message: object, send: (other: object) => Promise<void>) => Promise<void>,
): Pick<Parts, 'createTransport'> {
  return {
    createTransport(spec) {
      const transport = defaults.createTransport(spec)
      const send = transport.send.bind(transport)
      transport.send = async (message, options) => {
        await also(message, (other) => send(other as typeof message))
        await send(message, options)
      }
      return transport
    },
  }
}

const local = (uri: string): string => uri.replace('/127.0.0.1:', '/localhost:')

/** Takes callbacks whose state is alike, in whichever way. */
const comparingStates =
  (alike: (got: string, expected: string, parameters: URLSearchParams) => boolean) =>
  ({ isCallback }: Parts): Partial<Parts> => ({
    isCallback(path, expected) {
      const { searchParams } = new URL(path, 'http://127.0.0.1')
      const got = searchParams.get('state')
      const isAlike = alike(got ?? '', expected.state ?? '', searchParams)
      return isCallback(path, { ...expected, state: isAlike ? got : expected.state })
    },
  })

type IsCallback = Parts['isCallback']

/** Takes callbacks whose path is alike, in whichever way. */
const comparingPaths =
  (alike: (got: string, expected: string) => boolean) =>
  ({ isCallback }: Parts): Partial<Parts> => ({
    isCallback(path, expected) {
      const { pathname } = new URL(path, 'http://127.0.0.1')
      return isCallback(
        path,
        alike(pathname, expected.path) ? { ...expected, path: pathname } : expected,
      )
    },
  })

/** Selects among other options than those that are offered. */
const selectingAmong =
  (change: (options: readonly string[], requested: string | null) => readonly string[]) =>
  ({ selectRedirect }: Parts): Partial<Parts> => ({
    selectRedirect({ redirect_uri_options: options, ...request }) {
      const requested = new URL(request.url).searchParams.get('redirect_uri')
      return selectRedirect({
        ...request,
        redirect_uri_options: options && [...change(options, requested)],
      })
    },
  })

/** The first request ends the flow; it is returned where it is taken for the callback. */
const oneShot =
  (isTaken: (isOwn: IsCallback, ...args: Parameters<IsCallback>) => boolean) =>
  ({ isCallback, resultOf }: Parts): Partial<Parts> => {
    let taken = false
    return {
      isCallback(...args) {
        taken = isTaken(isCallback, ...args)
        return true
      },
      resultOf: (callback) => (taken ? resultOf(callback) : {}),
    }
  }

export const callbackDefects: readonly Defect[] = [
  {
    id: 'decline-as-error',
    description: 'a user who declines is answered for by an error',
    parts: ({ authorize }) => ({
      async authorize(...args) {
        const result = await authorize(...args)
        if (result.url === undefined) throw new Error('declined')
        return result
      },
    }),
  },
  {
    id: 'decline-with-empty-url',
    description: 'where the user declines, the result has an empty url',
    parts: ({ authorize }) => ({
      authorize: async (...args) => ({ url: '', ...(await authorize(...args)) }),
    }),
  },
  {
    id: 'only-code-and-state-returned',
    description: 'of the callback only code and state are returned',
    parts: () => ({
      resultOf(callback) {
        const url = new URL(callback)
        const known = ['code', 'state', 'error', 'error_description']
        const others = Array.from(url.searchParams.keys()).filter((name) => !known.includes(name))
        for (const name of others) url.searchParams.delete(name)
        return { url: url.href }
      },
    }),
  },
  {
    id: 'blanks-lost',
    description: 'a plus sign in the callback is taken for itself',
    parts: () => ({ resultOf: (callback) => ({ url: callback.replaceAll('+', '%2B') }) }),
  },
  {
    id: 'callback-of-another-origin',
    description: 'the callback is returned as if it had come to localhost',
    parts: () => ({ resultOf: (callback) => ({ url: local(callback) }) }),
  },
  {
    id: 'callback-put-together-anew',
    description: 'the parameters are decoded and encoded again',
    parts: () => ({
      resultOf(callback) {
        const url = new URL(callback)
        url.search = new URLSearchParams(url.searchParams).toString()
        return { url: url.href }
      },
    }),
  },
  {
    id: 'errors-swallowed',
    description: 'a callback with an error is taken for a decline',
    parts: ({ resultOf }) => ({
      resultOf: (callback) =>
        new URL(callback).searchParams.has('error') ? {} : resultOf(callback),
    }),
  },
  {
    id: 'any-path-taken',
    description: 'a callback on any path is returned',
    parts: comparingPaths(() => true),
  },
  {
    id: 'any-state-taken',
    description: 'a callback with any state, or none, is returned',
    parts: ({ isCallback }) => ({
      isCallback: (path, expected) =>
        isCallback(path, {
          ...expected,
          state: new URL(path, 'http://127.0.0.1').searchParams.get('state'),
        }),
    }),
  },
  {
    id: 'state-begins-alike',
    description: 'a state that begins like that of the request is taken for it',
    parts: comparingStates((got, expected) => got.startsWith(expected.slice(0, 8))),
  },
  {
    id: 'state-extended-taken',
    description: 'a state that goes on after that of the request is taken for it',
    parts: comparingStates((got, expected) => got.startsWith(expected)),
  },
  {
    id: 'state-in-any-case',
    description: 'capital letters of a state are taken for small ones',
    parts: comparingStates((got, expected) => got.toLowerCase() === expected.toLowerCase()),
  },
  {
    id: 'errors-of-any-state',
    description: 'a callback with an error is returned whatever its state is',
    parts: comparingStates(
      (got, expected, parameters) => parameters.has('error') || got === expected,
    ),
  },
  {
    id: 'callback-without-code-taken',
    description: 'what has the right state is returned, code or not',
    parts: ({ isCallback }) => ({
      isCallback: (path, expected) =>
        isCallback(path, expected) || isCallback(`${path}&code=none`, expected),
    }),
  },
  {
    id: 'first-flow-validated',
    description: 'only what comes in the first flow of a client is looked at',
    parts: ({ isCallback }) => {
      const first: { state?: string | null } = {}
      return {
        isCallback(path, expected) {
          first.state ??= expected.state
          return first.state === expected.state ? isCallback(path, expected) : answers(path)
        },
      }
    },
  },
  {
    id: 'fixed-port-unvalidated',
    description: 'what comes to a port that the request names is taken for the callback',
    parts: ({ listen }) => ({
      listen: (redirect, state, steps) =>
        listen(
          redirect,
          state,
          redirect.port === undefined ? steps : { ...steps, isCallback: answers },
        ),
    }),
  },
  {
    id: 'one-shot-any-path',
    description: 'the first request ends the flow, and is returned whatever its path is',
    parts: oneShot((isOwn, path, expected) =>
      isOwn(path.replace(/^[^?]*/, expected.path), expected),
    ),
  },
  {
    id: 'one-shot-error-of-any-state',
    description: 'the first request ends the flow, and is returned if it has an error',
    parts: oneShot((isOwn, path, expected) => /[?&]error=/.test(path) || isOwn(path, expected)),
  },
  {
    id: 'one-shot-without-state',
    description: 'the first request ends the flow, and is returned if it has no state',
    parts: oneShot((isOwn, path, expected) => !/[?&]state=./.test(path) || isOwn(path, expected)),
  },
  {
    id: 'one-shot-without-code',
    description: 'the first request ends the flow, and is returned if its state is right',
    parts: oneShot((isOwn, path, expected) => isOwn(`${path}&code=none`, expected)),
  },
  {
    id: 'last-flow-answers',
    description: 'a callback is taken for the answer to what was asked last',
    parts: ({ listen }) => {
      let latest: (url: string) => void = () => {}
      return {
        async listen(...args) {
          const listener = await listen(...args)
          const callback = new Promise<string>((resolve) => {
            latest = resolve
          })
          void listener.callback.then((url) => latest(url))
          return { ...listener, callback }
        },
      }
    },
  },
  {
    id: 'first-flow-answers',
    description: 'a callback is taken for the answer to what was asked first and waits',
    parts: ({ listen }) => {
      const waiting: ((url: string) => void)[] = []
      return {
        async listen(...args) {
          const listener = await listen(...args)
          const callback = new Promise<string>((resolve) => waiting.push(resolve))
          void listener.callback.then((url) => waiting.shift()?.(url))
          return { ...listener, callback }
        },
      }
    },
  },
  // ------------------------------------------------------------- redirect URIs
  {
    id: 'last-option',
    description: 'the last option that is supported is selected',
    parts: ({ selectRedirect }) => ({
      selectRedirect: (request) =>
        selectRedirect({
          ...request,
          redirect_uri_options: request.redirect_uri_options?.toReversed(),
        }),
    }),
  },
  {
    id: 'fixed-port-replaced',
    description: 'an option that names its port is used with another one',
    parts: ({ selectRedirect }) => ({
      selectRedirect(request) {
        const selected = selectRedirect(request)
        return selected?.port === undefined
          ? selected
          : { template: selected.template.replace(/:\d+/, ':{port}') }
      },
    }),
  },
  {
    id: 'templates-first',
    description: 'options that leave the port open are preferred to those that name one',
    parts: selectingAmong((options) =>
      options.toSorted((one, other) => other.indexOf('{port}') - one.indexOf('{port}')),
    ),
  },
  {
    id: 'own-option-first',
    description: 'where the redirect URI of the URL is among the options, it is preferred',
    parts: selectingAmong((options, requested) =>
      options.toSorted((one, other) => Number(other === requested) - Number(one === requested)),
    ),
  },
  {
    id: 'localhost-replaced',
    description: 'the name localhost in an option is replaced by its address',
    parts: selectingAmong((options) =>
      options.map((each) => each.replace('//localhost', '//127.0.0.1')),
    ),
  },
  {
    id: 'localhost-last',
    description: 'an option at localhost is supported, and one at its address preferred',
    parts: ({ selectRedirect }) => ({
      selectRedirect(request) {
        const { redirect_uri_options: options = [] } = request
        const named = options.find((each) => each.startsWith('http://localhost:'))
        const hasOther = options.some((each) => each.startsWith('http://127.0.0.1:'))
        return named === undefined || hasOther ? selectRedirect(request) : { template: named }
      },
    }),
  },
  {
    id: 'own-redirect-if-unsupported',
    description: 'where no option is supported, the redirect goes to a listener of the client',
    parts: selectingAmong((options) =>
      options.some((each) => each.startsWith('http://127.0.0.1:'))
        ? options
        : ['http://127.0.0.1:{port}/callback'],
    ),
  },
  {
    id: 'options-ignored',
    description: 'what the request has is used, whatever is offered',
    parts: ({ selectRedirect }) => ({
      selectRedirect: (request) => selectRedirect({ ...request, redirect_uri_options: [] }),
    }),
  },
  {
    id: 'own-redirect-without-options',
    description: 'where nothing is offered, the redirect goes to a listener of the client',
    parts: ({ selectRedirect }) => ({
      selectRedirect: (request) =>
        request.redirect_uri_options
          ? selectRedirect(request)
          : { template: 'http://127.0.0.1:{port}/callback' },
    }),
  },
  {
    id: 'options-required',
    description: 'a request that offers nothing is refused',
    parts: ({ selectRedirect }) => ({
      selectRedirect: (request) =>
        request.redirect_uri_options ? selectRedirect(request) : undefined,
    }),
  },
  {
    id: 'own-path',
    description: 'the redirect goes to a path of the client',
    parts: ({ selectRedirect }) => ({
      selectRedirect: (request) =>
        selectRedirect(request) && { template: 'http://127.0.0.1:{port}/oauth/landing' },
    }),
  },
  // ------------------------------------------------------------- afterwards
  {
    id: 'listener-stays',
    description: 'the listener stays open when it is over',
    parts: () => ({ closeListener: () => Promise.resolve() }),
  },
  {
    id: 'later-listener-stays',
    description: 'the listener of the first flow is closed, and those of later ones stay',
    parts: ({ closeListener }) => {
      let closed = 0
      return {
        closeListener: (listener) =>
          (closed += 1) > 1 ? Promise.resolve() : closeListener(listener),
      }
    },
  },
  {
    id: 'listener-stays-after-error',
    description: 'the listener stays open where the callback has an error',
    parts: ({ resultOf, closeListener }) => {
      let failed = false
      return {
        resultOf(callback) {
          failed = new URL(callback).searchParams.has('error')
          return resultOf(callback)
        },
        closeListener: (listener) => (failed ? Promise.resolve() : closeListener(listener)),
      }
    },
  },
  {
    id: 'listener-stays-after-decline',
    description: 'the listener is there before the user is asked, and stays when they decline',
    parts: ({ authorize }) => ({
      async authorize(server, request, user, parts) {
        const redirect = parts.isWebPage(request.url) ? parts.selectRedirect(request) : undefined
        if (!redirect) return authorize(server, request, user, parts)
        const state = new URL(request.url).searchParams.get('state')
        const early = await parts.listen(redirect, state, parts)
        const listen = (): Promise<typeof early> => Promise.resolve(early)
        return authorize(server, request, user, { ...parts, listen })
      },
    }),
  },
  {
    id: 'listens-everywhere',
    description: 'the listener is open to the network',
    parts: () => ({ host: () => '0.0.0.0' }),
  },
  {
    id: 'callback-logged',
    description: 'the callback is logged',
    parts: ({ resultOf }) => ({
      resultOf(callback) {
        process.stderr.write(`got ${callback}\n`)
        return resultOf(callback)
      },
    }),
  },
  {
    id: 'error-callback-logged',
    description: 'a callback with an error is logged',
    parts: ({ resultOf }) => ({
      resultOf(callback) {
        if (new URL(callback).searchParams.has('error')) process.stderr.write(`got ${callback}\n`)
        return resultOf(callback)
      },
    }),
  },
  {
    id: 'callback-stored',
    description: 'the last callback is kept in a file',
    env: { STATE_DIR: '{data.dir}' },
    parts: ({ resultOf }) => ({
      resultOf(callback) {
        const { STATE_DIR: folder = '.' } = process.env
        writeFileSync(join(folder, 'last-callback'), callback)
        return resultOf(callback)
      },
    }),
  },
  {
    id: 'code-shown',
    description: 'the user is shown the code',
    parts: ({ authorize }) => ({
      async authorize(server, request, user, parts) {
        const result = await authorize(server, request, user, parts)
        if (result.url !== undefined)
          user.tell(`Your code: ${new URL(result.url).searchParams.get('code')}`)
        return result
      },
    }),
  },
  {
    id: 'path-begins-alike',
    description: 'a path that begins like that of the redirect URI is taken for it',
    parts: comparingPaths((got, expected) => got.startsWith(expected)),
  },
  {
    id: 'path-ends-alike',
    description: 'a path that ends like that of the redirect URI is taken for it',
    parts: comparingPaths((got, expected) => got.endsWith(expected)),
  },
  {
    id: 'path-in-any-case',
    description: 'a path in other case than that of the redirect URI is taken for it',
    parts: comparingPaths((got, expected) => got.toLowerCase() === expected.toLowerCase()),
  },
  {
    id: 'code-anywhere-in-the-query',
    description: 'what has the right state, and "code=" in its query, is returned',
    parts: ({ isCallback }) => ({
      isCallback: (path, expected) =>
        isCallback(path, expected) || isCallback(path.replace(/\w+code=/, 'code='), expected),
    }),
  },
  {
    id: 'states-of-all-flows',
    description: 'a state that any flow of the client has had is taken for that of its own',
    parts: ({ isCallback, openUrl }) => {
      const states = new Set<string | null>()
      return {
        openUrl(url) {
          states.add(new URL(url).searchParams.get('state'))
          return openUrl(url)
        },
        isCallback(path, expected) {
          const { searchParams } = new URL(path, 'http://127.0.0.1')
          const state = searchParams.get('state')
          return isCallback(path, states.has(state) ? { ...expected, state } : expected)
        },
      }
    },
  },
  {
    id: 'code-in-notification',
    description: 'every server hears of the code in a notification',
    parts: (defaults) => {
      let code = ''
      return {
        resultOf(callback) {
          code = new URL(callback).searchParams.get('code') ?? ''
          return defaults.resultOf(callback)
        },
        ...sending(defaults, async (message, send) => {
          if (code === '' || !('result' in message)) return
          const params = { reason: `authorized by ${code}` }
          await send({ jsonrpc: '2.0', method: 'notifications/example/authorized', params })
        }),
      }
    },
  },
]

/** Whether somebody says something there, whoever it is. */
function answers(path: string): boolean {
  return /[?&](code|error)=/.test(path)
}
