import {
  cite,
  inconclusive,
  jsonOf,
  pass,
  violation,
  show,
} from '../../../../harness/engine/index.ts'
import { manifest as manifestSchema } from '../../messages.ts'
import { check } from '../checks.ts'
import { manifestPath } from '../vocabulary.ts'
import { scenario } from './define.ts'

export const manifest = scenario({
  id: 'manifest',
  title: 'a runtime discovers the toolset',
  ungated: true,
  async drive({ tool }) {
    await tool.discover(manifestPath)
  },
  checks: [
    check('rap-oauth/tool/manifest-valid', 'serves a valid discovery document', (t) => {
      const [request] = t.requests('discovery')
      const answer = request && t.answer(request)
      if (answer?.type !== 'response') return inconclusive('no answer', cite(request, answer))
      if (answer.status === 401 || answer.status === 403) {
        return inconclusive(
          `it answered ${answer.status}: does it need target.headers?`,
          cite(request, answer),
        )
      }
      if (answer.status !== 200) {
        const difference = { expected: 'HTTP 200', actual: `HTTP ${answer.status}` }
        return violation(
          `there is no discovery document at ${manifestPath}`,
          difference,
          cite(request, answer),
        )
      }
      const parsed = manifestSchema.safeParse(jsonOf(answer.body))
      if (parsed.success) return pass(`${parsed.data.tools.length} tools`, cite(request, answer))
      const [issue] = parsed.error.issues
      const at = issue?.path.join('.') || 'the document'
      const difference = {
        expected: issue?.message ?? 'a valid document',
        actual: answer.body?.text ?? '',
      }
      return violation(
        `the discovery document is invalid at ${at}`,
        difference,
        cite(request, answer),
      )
    }),
    check('rap-oauth/tool/requires-auth-annotation', 'annotates requiresAuth', (t) => {
      const [request] = t.requests('discovery')
      const answer = request && t.answer(request)
      const body = answer?.type === 'response' ? jsonOf(answer.body) : undefined
      const parsed = manifestSchema.safeParse(body)
      if (!parsed.success)
        return inconclusive('there is no valid discovery document', cite(request, answer))
      const operation = t.steps('deployment')[0]?.detail['operation']
      const named = parsed.data.tools.filter(
        (tool) => tool.annotations?.requiresAuth && (!operation || tool.name === operation),
      )
      if (named.length === 0) {
        return violation(
          'the operation does not say that it requires authorization',
          {
            expected: 'annotations.requiresAuth with the name of the provider',
            actual: parsed.data.tools
              .map(({ name, annotations }) => `${name}: ${show(annotations)}`)
              .join(', '),
          },
          cite(request, answer),
        )
      }
      return pass(
        named.map((tool) => `${tool.name}: ${tool.annotations?.requiresAuth}`).join(', '),
        cite(request, answer),
      )
    }),
  ],
})
