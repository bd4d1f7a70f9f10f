/** Defects between the discovery document and the acknowledgement. */

import { CallFailure } from '../failure.ts'
import { forever } from './alter.ts'
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
    parts: (defaults) => ({
      describeToolset(publicUrl, issuer) {
        const toolset = defaults.describeToolset(publicUrl, issuer)
        const further = { name: 'delete items', description: 'Deletes.', inputSchema: {} }
        return { ...toolset, tools: [...toolset.tools, further] }
      },
    }),
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
