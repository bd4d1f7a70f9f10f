import { expect, test } from 'vitest'
import { describeChecks, judge, recording } from '../testing.ts'
import { manifest } from './manifest.ts'

const tool = {
  name: 'list_items',
  description: 'Lists the items',
  inputSchema: { type: 'object' },
  annotations: { requiresAuth: 'example' },
}
const document = { name: 'items', endpoint: 'http://127.0.0.1:4100/rap', tools: [tool] }

const served = (value: unknown, status = 200) =>
  recording().discover({ status, text: JSON.stringify(value) })
const withTools = (...tools: unknown[]) => served({ ...document, tools })

describeChecks(manifest, {
  'rap-oauth/tool/manifest-valid': {
    pass: {
      valid: served(document),
      'with members of its own': served({ ...document, vendor: { x: 1 } }),
    },
    violation: {
      '404': served(document, 404),
      'a redirect': served(document, 302),
      'no JSON': recording().discover({ status: 200, text: '<html>' }),
      'no endpoint': served({ ...document, endpoint: undefined }),
      'an endpoint that is no URL': served({ ...document, endpoint: '/rap' }),
      'no tools': withTools(),
      'a tool without a schema': withTools({ ...tool, inputSchema: undefined }),
      'a name with spaces': withTools({ ...tool, name: 'list items' }),
      'a name of 129 characters': withTools({ ...tool, name: 'x'.repeat(129) }),
      'a name that comes twice': withTools(tool, tool),
    },
    inconclusive: {
      'no connection': recording().discover('refused'),
      'no answer': recording().discover('open'),
      'not asked': recording(),
      '401': served(document, 401),
      '403': served(document, 403),
    },
  },
  'rap-oauth/tool/requires-auth-annotation': {
    pass: {
      annotated: served(document),
      'one of two': withTools(tool, { ...tool, name: 'ping', annotations: {} }),
    },
    violation: {
      'no annotations': withTools({ ...tool, annotations: undefined }),
      'other annotations': withTools({ ...tool, annotations: { readOnly: true } }),
    },
    inconclusive: {
      'an invalid document': withTools(),
      'an empty annotation': withTools({ ...tool, annotations: { requiresAuth: '' } }),
      'no answer': recording().discover('refused'),
      'not asked': recording(),
    },
  },
})

test('the message says where the document is invalid', () => {
  const found = judge(manifest, 'rap-oauth/tool/manifest-valid', withTools({ ...tool, name: '' }))
  expect(found.message).toBe('the discovery document is invalid at tools.0.name')
})
