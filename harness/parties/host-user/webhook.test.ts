import { expect, test } from 'vitest'
import { startWebhook } from './webhook.ts'

const url = 'https://provider.example/authorize?a=1&b=2'

const multipart = new FormData()
multipart.set('to', 'alice')
multipart.set('body', url)
multipart.set('page', new File([`<a href="${url}">`], 'page.html'))

test.each<[string, string | URLSearchParams | FormData, string[]]>([
  ['JSON', JSON.stringify({ text: url }), [JSON.stringify({ text: url })]],
  ['nothing', '', []],
  [
    'a form',
    new URLSearchParams({ to: 'alice', payload: `{"text":"${url}"}` }),
    ['alice', `{"text":"${url}"}`],
  ],
  ['a form in parts', multipart, ['alice', url, `<a href="${url}">`]],
])('reports %s that is posted', async (_, body, expected) => {
  const seen: string[] = []
  const webhook = await startWebhook(0, ({ text }) => seen.push(text))
  const answer = await fetch(webhook.url, { method: 'POST', body })
  expect(answer.status).toBe(200)
  await webhook.close()
  expect(seen).toEqual(expected)
})

test('reports what only claims to be a form as it came', async () => {
  const seen: string[] = []
  const webhook = await startWebhook(0, ({ text }) => seen.push(text))
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  await fetch(webhook.url, { method: 'POST', body: url, headers })
  await webhook.close()
  expect(seen).toEqual([url])
})
