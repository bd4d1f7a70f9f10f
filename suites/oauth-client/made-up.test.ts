import { expect, test } from 'vitest'
import { readsAsServed } from './made-up.ts'

const served = { items: [{ id: '1', title: 'Welcome' }] }

test.each([
  ['nothing found', { items: [] }, served],
  ['other data', { items: [{ id: '7', title: 'Sample' }] }, served],
  ['data as a text', { ok: true, output: '[]' }, { ok: true, output: '[{"id":"1"}]' }],
  [
    'an empty list in place of data',
    { ok: true, output: '[]' },
    { ok: true, output: '{"items":[1]}' },
  ],
  ['data within data', { result: { items: [] } }, { result: served }],
  ['nothing found, and all well', { status: 'ok', items: [] }, served],
  ['the same within a result', { result: { status: 'success', items: [] } }, { result: served }],
  ['no error beside data', { error: null, items: [] }, served],
  ['other data, and how much', { items: ['a', 'b'], total: 2 }, { items: ['Welcome'], total: 1 }],
  ['a list with nothing in it', [], [{ id: '1', title: 'Welcome' }]],
  ['other words among data', { items: ['x'], notes: [] }, { items: ['Welcome'], notes: ['old'] }],
  [
    'other data with a content',
    { items: [{ id: '7', content: 'x' }] },
    { items: [{ id: '1', content: 'y' }] },
  ],
  ['success alone', { status: 'success' }, served],
  ['success alone, within a result', { result: { success: true } }, { result: 'Found: Welcome' }],
])('%s reads as if it had been carried out', (_, given, real) => {
  expect(readsAsServed(JSON.stringify(given), JSON.stringify(real))).toBe(true)
})

test.each([
  ['an error', { error: 'denied' }, served],
  ['an error beside no data', { items: [], error: 'denied' }, served],
  ['a number that differs', { items: [], code: 500 }, { items: ['Welcome'], code: 200 }],
  ['a no beside no data', { items: [], ok: 0 }, { items: ['Welcome'], ok: 1 }],
  ['a status that differs', { status: 'abgelehnt', items: [] }, { status: 'ok', items: [{}] }],
  ['a flag that differs', { ok: false, items: [] }, { ok: true, items: [{}] }],
  ['words among the data', { items: ['abgelehnt'] }, served],
  ['words where data was', { result: 'abgelehnt' }, { result: '[{"id":"1"}]' }],
  ['a text in place of a text', { result: 'abgelehnt' }, { result: 'Found: Welcome' }],
  ['a text alone', 'abgelehnt', 'Found: Welcome'],
  ['words as content', [{ type: 'text', text: 'abgelehnt' }], [{ type: 'text', text: 'Found' }]],
  ['words as a part', { parts: [{ text: 'abgelehnt' }] }, { parts: [{ text: 'Found' }] }],
  ['a list of answers', [{ url: '/a', status: 500 }], [{ url: '/a', status: 200 }]],
  [
    'a list of steps',
    { steps: [{ name: 'fetch', state: 'kaputt' }] },
    { steps: [{ name: 'fetch', state: 'gut' }] },
  ],
  [
    'words in a list',
    { items: [], messages: ['abgelehnt'] },
    { items: [{ id: '1' }], messages: ['2 items'] },
  ],
  ['words in a list alone', { content: ['abgelehnt'] }, { content: ['Found: Welcome'] }],
  ['warnings', { items: [], warnings: ['abgelehnt'] }, { items: ['a'], warnings: ['old'] }],
  ['less than that', {}, served],
  ['a list in place of members', [], served],
  ['words beside success', { status: 'ok', items: [], message: 'abgelehnt' }, served],
  ['words in place of data', { success: true, result: 'abgelehnt' }, served],
  ['a failure in a status', { status: 'cancelled', items: [] }, served],
  ['no success', { success: false }, served],
  [
    'a text of a hundred thousand lists',
    { result: '['.repeat(100_000) + ']'.repeat(100_000) },
    { result: '[1]' },
  ],
])('%s may tell of a failure', (_, given, real) => {
  expect(readsAsServed(JSON.stringify(given), JSON.stringify(real))).toBe(false)
})
