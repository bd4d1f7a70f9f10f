/** Defects between the discovery document and the acknowledgement. */

import { CallFailure } from '../failure.ts'
import type { Parts } from '../parts.ts'
import { forever, parseObject, pause } from './alter.ts'
import type { Defect } from './defect.ts'

const badInvocation = new Set<string>(['unknown-operation', 'invalid-arguments'])

export const invocationDefects: readonly Defect[] = [
  {
    id: 'toolset-names-twice',
    description: 'the discovery document has two tools of one name',
    parts: (defaults) => ({
      describeToolset(publicUrl, issuer) {
        const toolset = defaults.describeToolset(publicUrl, issuer)
        return { ...toolset, tools: [...toolset.tools, ...toolset.tools.slice(0, 1)] }
      },
    }),
  },
  {
    id: 'toolset-name-with-space',
    description: 'a tool in the discovery document has a space in its name',
    parts: (defaults) => withFurther(defaults, { name: 'delete items' }),
  },
  {
    id: 'toolset-name-with-semicolon',
    description: 'a tool in the discovery document has a semicolon in its name',
    parts: (defaults) => withFurther(defaults, { name: 'items/delete;all' }),
  },
  {
    id: 'toolset-annotation-as-text',
    description: 'a tool in the discovery document is annotated with readOnly: "yes"',
    parts: (defaults) => withFurther(defaults, { annotations: { readOnly: 'yes' } }),
  },
  {
    id: 'toolset-schema-of-no-type',
    description:
      'the input schema of a tool in the discovery document has a type that JSON Schema has not',
    parts: (defaults) => withFurther(defaults, { inputSchema: { type: 'objekt' } }),
  },
  {
    id: 'toolset-without-requires-auth',
    description: 'no tool is annotated with requiresAuth',
    parts: (defaults) => ({
      describeToolset(publicUrl, issuer) {
        const toolset = defaults.describeToolset(publicUrl, issuer)
        const tools = toolset.tools.map(({ annotations: _annotations, ...tool }) => tool)
        return { ...toolset, tools }
      },
    }),
  },
  {
    id: 'acknowledged-with-202',
    description: 'an invocation is answered 202',
    parts: () => ({
      acknowledge(http, work) {
        void work()
        return http.json({ accepted: true }, 202)
      },
    }),
  },
  {
    id: 'stored-token-acknowledged-202',
    description: 'the invocation of a user who has authorized before is answered 202',
    parts: (defaults) => {
      const authorized = new Set<string>()
      let caller = ''
      return {
        parseInvocation(text) {
          const invocation = defaults.parseInvocation(text)
          caller = defaults.recordName(String(invocation?.user_id))
          return invocation
        },
        saveTokens(files, key, tokens) {
          authorized.add(key)
          return defaults.saveTokens(files, key, tokens)
        },
        acknowledge(http, work) {
          if (!authorized.has(caller)) return defaults.acknowledge(http, work)
          void work()
          return http.json({ accepted: true }, 202)
        },
      }
    },
  },
  {
    id: 'acknowledged-after-the-work',
    description: 'an invocation is answered when the work behind it is done',
    parts: () => ({
      async acknowledge(http, work) {
        await work()
        return http.json({ accepted: true })
      },
    }),
  },
  {
    id: 'acknowledged-when-a-worker-is-free',
    description:
      'four invocations are worked on, and the next ones are answered when one of them is done',
    parts: () => {
      const working = new Set<Promise<void>>()
      return {
        async acknowledge(http, work) {
          while (working.size >= 4) await Promise.race(working)
          const own = work()
          working.add(own)
          void own.finally(() => working.delete(own))
          return http.json({ accepted: true })
        },
      }
    },
  },
  {
    id: 'acknowledged-one-after-the-other',
    description: "a user's call is answered when the one before it has its result",
    parts: (defaults) => {
      const users = new Map<unknown, unknown>()
      const results = new Map<unknown, PromiseWithResolvers>()
      let before: Promise<void> | undefined
      return {
        parseInvocation(text) {
          const invocation = defaults.parseInvocation(text)
          before = undefined
          if (typeof invocation?.user_id !== 'string') return invocation
          before = results.get(users.get(invocation.user_id))?.promise
          results.set(invocation.id, withResolvers())
          users.set(invocation.user_id, invocation.id)
          return invocation
        },
        async acknowledge(http, work) {
          await before
          return defaults.acknowledge(http, work)
        },
        deliver(delivery, means) {
          const { type, id } = delivery.message
          if (type === 'tool_result') results.get(id)?.resolve()
          return defaults.deliver(delivery, means)
        },
      }
    },
  },
  {
    id: 'acknowledged-after-an-exchange',
    description: 'no invocation is answered while a code is being exchanged, whoever it is of',
    parts: (defaults) => {
      let exchanging: Promise<unknown> = Promise.resolve()
      return {
        async acknowledge(http, work) {
          await exchanging
          return defaults.acknowledge(http, work)
        },
        exchangeCode(provider, grant, now) {
          const tokens = defaults.exchangeCode(provider, grant, now)
          exchanging = tokens.catch(() => undefined)
          return tokens
        },
      }
    },
  },
  {
    id: 'acknowledged-after-the-refresh',
    description: 'an invocation is answered when the expired token of its user has been refreshed',
    parts: (defaults) => {
      let refreshing: Promise<unknown> = Promise.resolve()
      return {
        async acknowledge(http, work) {
          await Promise.race([work(), pause(200)])
          await refreshing
          return http.json({ accepted: true })
        },
        refreshTokens(provider, tokens, now) {
          const fresh = defaults.refreshTokens(provider, tokens, now)
          refreshing = fresh.catch(() => undefined)
          return fresh
        },
      }
    },
  },
  {
    id: 'acknowledged-after-a-pushed-request',
    description:
      'an invocation waits for a pushed request, and is dropped where that fails or takes long',
    parts: () => waitsFor('/par'),
  },
  {
    id: 'acknowledged-after-a-registration',
    description:
      'an invocation waits for a registration, and is dropped where that fails or takes long',
    parts: () => waitsFor('/register'),
  },
  {
    id: 'thread-ancestors-refused',
    description:
      'an invocation with thread_ancestors is answered 400, since its schema has no such field',
    parts: (defaults) => ({
      parseInvocation: (text) =>
        'thread_ancestors' in parseObject(text) ? undefined : defaults.parseInvocation(text),
    }),
  },
  {
    id: 'callback-url-used-once',
    description: 'an invocation whose callback_url another one has had is answered 400',
    parts: (defaults) => {
      const used = new Set<string>()
      return {
        parseInvocation(text) {
          const invocation = defaults.parseInvocation(text)
          if (invocation === undefined || used.has(invocation.callback_url)) return undefined
          used.add(invocation.callback_url)
          return invocation
        },
      }
    },
  },
  {
    id: 'bad-invocation-dropped',
    description: 'unknown operations and unfitting arguments are acknowledged and then forgotten',
    parts: (defaults) => ({
      async reportFailure(error, describeError, sendResult) {
        if (error instanceof CallFailure && badInvocation.has(error.code)) return
        await defaults.reportFailure(error, describeError, sendResult)
      },
    }),
  },
  {
    id: 'call-without-user-id-dropped',
    description: 'an invocation without user_id is acknowledged and then forgotten',
    parts: (defaults) => forgotten(defaults, (user) => typeof user !== 'string'),
  },
  {
    id: 'user-beyond-ascii-dropped',
    description: 'an invocation is acknowledged and then forgotten if its user_id is not ASCII',
    parts: (defaults) => forgotten(defaults, (user) => /[^\0-\x7f]/.test(String(user))),
  },
  {
    id: 'bad-arguments-dropped-after-consent',
    description:
      'arguments are looked at when the user has consented; where they do not fit, nothing follows',
    parts: (defaults) => {
      const misfits = new Set<string>()
      return {
        checkCall(invocation) {
          try {
            return defaults.checkCall(invocation)
          } catch (error) {
            if (!(error instanceof CallFailure) || error.code !== 'invalid-arguments') throw error
            misfits.add(invocation.id)
            return defaults.checkCall({ ...invocation, operation: 'list_items', arguments: {} })
          }
        },
        async claimFlow(flow, flows) {
          return (await defaults.claimFlow(flow, flows)) && !misfits.has(flow.call.id)
        },
      }
    },
  },
  {
    id: 'unknown-operation-lists',
    description: 'an operation that it does not have lists the items',
    parts: (defaults) => ({
      parseInvocation(text) {
        const invocation = defaults.parseInvocation(text)
        if (invocation === undefined) return undefined
        try {
          defaults.checkCall(invocation)
          return invocation
        } catch (error) {
          if (!(error instanceof CallFailure) || error.code !== 'unknown-operation')
            return invocation
          return { ...invocation, operation: 'list_items' }
        }
      },
    }),
  },
  {
    id: 'arguments-not-validated',
    description: 'an operation makes do with any arguments',
    parts: (defaults) => ({
      checkCall(invocation) {
        try {
          return defaults.checkCall(invocation)
        } catch (error) {
          if (!(error instanceof CallFailure) || error.code !== 'invalid-arguments') throw error
          return defaults.checkCall({ ...invocation, operation: 'list_items', arguments: {} })
        }
      },
    }),
  },
  {
    id: 'operation-by-its-beginning',
    description: 'whatever begins like the name of an operation is that operation',
    parts: (defaults) => ({
      parseInvocation(text) {
        const invocation = defaults.parseInvocation(text)
        const names = ['list_items', 'create_item']
        const name = names.find((each) => String(invocation?.operation).startsWith(each))
        return invocation && name ? { ...invocation, operation: name } : invocation
      },
    }),
  },
  {
    id: 'bad-invocation-refused',
    description: 'unknown operations and unfitting arguments are answered 400',
    parts: (defaults) => ({
      parseInvocation(text) {
        const invocation = defaults.parseInvocation(text)
        if (invocation === undefined) return undefined
        try {
          defaults.checkCall(invocation)
          return invocation
        } catch {
          return undefined
        }
      },
    }),
  },
  {
    id: 'ends-on-malformed-json',
    description: 'malformed JSON is an uncaught exception that ends the process',
    parts: (defaults) => ({
      parseInvocation(text) {
        setImmediate(() => void JSON.parse(text))
        return defaults.parseInvocation(text)
      },
    }),
  },
  {
    id: 'stuck-after-malformed-json',
    description: 'malformed JSON blocks the queue of work for ever',
    parts: (defaults) => {
      let blocked: Promise<void> | undefined
      return {
        parseInvocation(text) {
          const invocation = defaults.parseInvocation(text)
          if (invocation === undefined) blocked = forever()
          return invocation
        },
        acknowledge(http, work) {
          void (blocked ?? work())
          return http.json({ accepted: true })
        },
      }
    },
  },
]

/** Whatever comes of such a call goes where nobody is. */
function forgotten(defaults: Parts, isOne: (user: unknown) => boolean): Partial<Parts> {
  return {
    parseInvocation(text) {
      const invocation = defaults.parseInvocation(text)
      return invocation && isOne(invocation.user_id)
        ? { ...invocation, callback_url: 'https://127.0.0.1:9/nowhere' }
        : invocation
    },
  }
}

/** One more tool in the discovery document, right in all else. */
function withFurther(defaults: Parts, fields: Readonly<Record<string, unknown>>): Partial<Parts> {
  const further: object = {
    name: 'delete_items',
    description: 'Deletes.',
    inputSchema: {},
    ...fields,
  }
  return {
    describeToolset(publicUrl, issuer) {
      const toolset = defaults.describeToolset(publicUrl, issuer)
      return { ...toolset, tools: [...toolset.tools, further as (typeof toolset.tools)[number]] }
    },
  }
}

/** Asks the provider for something before the acknowledgement; what it answers does not matter. */
function waitsFor(path: string): Partial<Parts> {
  return {
    async acknowledge(http, work) {
      const begun = Date.now()
      const answer = await fetch(`${process.env['OAUTH_ISSUER']}${path}`, { method: 'POST' })
      if (answer.status < 500 && Date.now() - begun < 3000) void work()
      return http.json({ accepted: true })
    },
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
