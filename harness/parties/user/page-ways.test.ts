import { describe, expect, test } from 'vitest'
import { bodyOf } from '../http.ts'
import { confirming, finishing, onwards, requestFor } from './page-ways.ts'

const url = 'https://tool.example/connect?e=1'
const from = (
  html: string,
  { at = url, status = 200, type = 'text/html; charset=utf-8', fields = {} } = {},
) =>
  onwards(
    { status, headers: { 'content-type': type, ...fields }, body: bodyOf(Buffer.from(html)) },
    at,
    (to) => to.startsWith('https://as.example/'),
  )

describe('somebody who is on the way', () => {
  test('presses the only button', () => {
    const form = `<form method="POST" action='/go?x=1&amp;y=2'>
      <input type=hidden name=token value="a&quot;b"><button name="ok">Go</button></form>`
    expect(from(form)).toEqual({
      method: 'POST',
      url: 'https://tool.example/go?x=1&y=2',
      body: 'token=a%22b&ok=',
    })
    expect(from('<form><input name="e" value="1"></form>')).toEqual({
      method: 'GET',
      url: 'https://tool.example/connect?e=1',
    })
  })

  test('takes XHTML for a page', () => {
    const html =
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><a href="/go">Go</a></html>'
    expect(from(html, { type: 'application/xhtml+xml' })?.url).toBe('https://tool.example/go')
  })

  test('goes where a field of the answer refreshes to', () => {
    const to = { method: 'GET', url: 'https://tool.example/go' }
    expect(from('<p>One moment', { fields: { refresh: '0;url=/go' } })).toEqual(to)
    expect(from('<p>One moment', { fields: { refresh: '0; URL="/go"' } })).toEqual(to)
    expect(from('<p>One moment', { fields: { refresh: '5' } })).toBeUndefined()
  })

  test('reads URLs relative to where the page says', () => {
    const base = '<base href="/connect/v2/">'
    expect(from(`${base}<a href=go>Go</a>`)?.url).toBe('https://tool.example/connect/v2/go')
    expect(from(`${base}<form action=go></form>`)?.url).toBe('https://tool.example/connect/v2/go')
    expect(from(`${base}<form></form>`)?.url).toBe(url.replace(/\?.*/, ''))
  })

  test.each([
    ['Abmelden', 'Verbinden'],
    ['Se déconnecter', 'Connecter'],
    ['ログアウト', '接続'],
    ['Search', 'Connect'],
  ])('sends the form that leads on: %s, %s', (other, on) => {
    const page = `<form action=/other><button>${other}</button></form><form action=/go><button>${on}</button></form>`
    expect(from(page)?.url).toBe('https://tool.example/go')
  })

  test('sends neither of two forms that say nothing', () => {
    const page =
      '<form action=/a><button>A</button></form><form action=/b><button>B</button></form>'
    expect(from(page)).toBeUndefined()
  })

  test('follows the only area of a map', () => {
    expect(from('<map><area href="/go" alt="Go"></map>')?.url).toBe('https://tool.example/go')
  })

  test('sends controls that stand elsewhere and name the form, and none that name another', () => {
    const page = `<input form=f name=token value=1><form id=f method=post action=/go>
      <input name=own value=2><input form=other name=no value=3></form><button form=f name=ok>Go</button>`
    expect(from(page)).toMatchObject({ body: 'own=2&token=1&ok=' })
  })

  test('presses one button, and fills in nothing', () => {
    const form = `<form method=post action=/go><button type=button name=help>?</button>
      <input type=checkbox name=news><input type=checkbox name=terms checked><input type=file name=f>
      <textarea name=why>&lt;none></textarea><input name=off disabled>
      <button name=answer value=yes formaction=/yes>Go on</button><button name=answer value=no>Cancel</button></form>`
    expect(from(form)).toEqual({
      method: 'POST',
      url: 'https://tool.example/yes',
      body: 'terms=on&why=%3Cnone%3E&answer=yes',
    })
  })

  test.each([
    ['<button name=a value=0>Cancel</button><button name=a value=1>Connect</button>', 'a=1'],
    ['<button name=a value=0><b>No</b>, thanks</button><button name=a value=1>Yes</button>', 'a=1'],
    [
      '<input type=submit name=a value=Abbrechen><input type=submit name=a value=Weiter>',
      'a=Weiter',
    ],
    ['<button name=deny>&#10005;</button><button name=allow>&#10003;</button>', 'allow='],
    ['<button name=a>取消</button><button name=b>继续</button>', 'b='],
    ['<button name=a>Cancel</button><button name=b>Decline</button>', 'a='],
    ['<button name=a>Go on (cancel any time)</button>', 'a='],
    ['<input type=checkbox name=terms required><button name=a>Agree</button>', 'terms=on&a='],
    [
      '<select name=s><option disabled>-<option value=2>B</select><button name=a>Go</button>',
      's=2&a=',
    ],
    ['<select name=s><option>A<option selected>B</select><button name=a>Go</button>', 's=B&a='],
  ])('does not press what leads away: %s', (controls, body) => {
    expect(from(`<form method=post action=/go>${controls}</form>`)).toMatchObject({ body })
  })

  test.each([
    '<form action=/no><button>Cancel</button></form><form action=/go><button>Connect</button></form>',
    '<form action=/go><button>Anmelden</button></form><form action=/no><button>Nein</button></form>',
    '<a href="/">Home</a><a href="/go">Continue to Items</a><a href="/privacy">Privacy</a>',
    '<a href="/legal">Legal</a><a href="/no">Cancel</a><a href="/go"><b>Connect</b> Items</a>',
    '<a href="/no">Go back</a><a href="/go">Items</a>',
  ])('knows the way by what is said of it: %s', (page) => {
    expect(from(page)?.url).toMatch(/^https:\/\/tool\.example\/go\b/)
  })

  test.each(['0; url=/go', '0;URL="/go"', '0,/go', ' 1.5 ; url = /go'])('waits for %s', (way) => {
    const page = `<meta http-equiv=Refresh content='${way}'><a href="/by-hand">by hand</a>`
    expect(from(page)).toEqual({ method: 'GET', url: 'https://tool.example/go' })
  })

  test('does not see what is commented out, in a script or in a template', () => {
    const unseen = `<!-- <form></form> --><script>"<form></form>"</script><template><form></form></template>`
    expect(from(`${unseen}<a href="/go">Go on</a>`)).toMatchObject({
      url: 'https://tool.example/go',
    })
  })

  test('follows the only link, where there is no form', () => {
    const link = '<p><a class="b" href="https://as.example/authorize?a=1&amp;b=2">Go on</a></p>'
    expect(from(link)).toEqual({ method: 'GET', url: 'https://as.example/authorize?a=1&b=2' })
    expect(from(`${link}<form action="/x"></form>`)).toMatchObject({
      url: 'https://tool.example/x',
    })
  })

  test('takes the only way to the provider among other links', () => {
    const way = '<a href="https://as.example/authorize?a=1">Go on</a>'
    const page = `<a href="/help">Help</a>${way}<form></form><form></form>`
    expect(from(page)).toEqual({ method: 'GET', url: 'https://as.example/authorize?a=1' })
    expect(from(`${page}<a href="https://as.example/other"></a>`)).toBeUndefined()
  })

  test.each([
    `<script>window.location.href = "https:\\/\\/as.example\\/authorize?a=1\\u0026b=2"</script>`,
    `<script>location.replace('https://as.example/authorize?a=1\\x26b=2')</script>`,
    `<script>setTimeout(() => location.assign("https://as.example/authorize?a=1&b=2"), 9)</script>`,
    `<button onclick="location='https://as.example/authorize?a=1&amp;b=2'">Go on</button>`,
    `<button onclick="window.open('https://as.example/authorize?a=1&amp;b=2', '_self')">Go on</button>`,
  ])('goes where a script goes: %s', (script) => {
    const page = `${script}<a href="/imprint"></a><a href="/privacy"></a>`
    expect(from(page)).toEqual({ method: 'GET', url: 'https://as.example/authorize?a=1&b=2' })
  })

  test.each([
    ['two ways of a script', '<script>location = "/a"; location = "/b"</script>', {}],
    ['what a script compares', '<script>if (location == "/a") go()</script>', {}],
    ['two links', '<a href="/a"></a><a href="/b"></a>', {}],
    ['two forms', '<form></form><form></form><a href="/b"></a>', {}],
    ['nothing to press', '<p>Thank you</p>', {}],
    ['a link without an address', '<a name="top"></a>', {}],
    ['an address that is none', '<a href="https://["></a>', {}],
    ['a form that leads nowhere', '<form action="https://["></form>', {}],
    ['a page that is loaded anew', '<meta http-equiv=refresh content="30">', {}],
    ['an error', '<a href="/a"></a>', { status: 403 }],
    ['no HTML', '<a href="/a"></a>', { type: 'text/plain' }],
    ['the page at the end', '<a href="/"></a>', { at: 'https://tool.example/callback?code=1' }],
  ])('goes no further at %s', (_, html, options) => {
    expect(from(html, options)).toBeUndefined()
  })
})

test.each(['<form>', '<a ', '<b><p>', '<div>', '<button>', '<meta ', '<script>location = "'])(
  'a page of nothing but %s ends',
  (part) => {
    expect(from(part.repeat(1_000_000 / part.length))).toSatisfy(
      (way) => way === undefined || typeof way === 'object',
    )
  },
)

test('a form is sent as one', () => {
  expect(requestFor({ method: 'GET', url })).toEqual({ method: 'GET', headers: {} })
  expect(requestFor({ method: 'POST', url, body: 'a=1' })).toEqual({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1',
  })
})

describe('a page that one has come back to', () => {
  const at = 'https://tool.example/cb?code=c&state=s'
  const next = (text: string, url = at) =>
    finishing(
      { status: 200, headers: { 'content-type': 'text/html' }, body: bodyOf(Buffer.from(text)) },
      url,
    )
  const form = (value: string, action = '/finish') =>
    `<form method=post action=${action}><input type=hidden name=x value="${value}"><button>Cancel</button></form>`

  test.each([
    ['a form with the state', form('s'), { method: 'POST', body: 'x=s' }],
    ['a form with the code', form('c'), { method: 'POST', body: 'x=c' }],
    [
      'a refresh',
      '<meta http-equiv=refresh content="0; url=/finish?s=s">',
      { method: 'GET', url: 'https://tool.example/finish?s=s' },
    ],
    [
      'a refresh at once, by a key of its own',
      '<meta http-equiv=refresh content="0; url=/hop?k=1">',
      { method: 'GET', url: 'https://tool.example/hop?k=1' },
    ],
  ])('finishes by %s', (_, text, navigation) => {
    expect(next(text)).toMatchObject(navigation)
  })

  test.each([
    ['a form for something else', form('feedback')],
    ['one of two forms', form('s') + form('s')],
    ['a refresh to somewhere else', '<meta http-equiv=refresh content="5; url=/home">'],
    [
      'a refresh to another site',
      '<meta http-equiv=refresh content="0; url=https://app.example/">',
    ],
    ['a refresh of itself', `<meta http-equiv=refresh content="5; url=${at}">`],
    ['a link', '<a href="/again?state=s">Again</a>'],
  ])('does not by %s', (_, text) => {
    expect(next(text)).toBeUndefined()
  })

  test('after an error finishes by what takes the error along, and not by what may try again', () => {
    const denied = 'https://tool.example/cb?error=access_denied&state=s'
    expect(next(form('access_denied'), denied)).toMatchObject({ body: 'x=access_denied' })
    expect(next(form('s'), denied)).toBeUndefined()
    expect(next('<meta http-equiv=refresh content="0; url=/hop">', denied)).toBeUndefined()
  })

  test('nor where it brought no code', () => {
    expect(next(form('s'), 'https://tool.example/cb?error=access_denied&state=s')).toBeUndefined()
  })
})

describe('a page that asks whether it is as it should be', () => {
  const at = 'https://tool.example/cb?code=c&state=s'
  const next = (text: string, url = at, status = 200) =>
    confirming(
      { status, headers: { 'content-type': 'text/html' }, body: bodyOf(Buffer.from(text)) },
      url,
    )
  const form = (button: string, method = 'post') =>
    `<p>Connect mary@example?<form method=${method} action=/confirm><input type=hidden name=n value=1>${button}</form>`

  test.each([
    ['its button', form('<button>Yes, connect</button>')],
    ['an input', form('<input type=submit value="Bestätigen">')],
    ['the one of two buttons that does', form('<button>Cancel</button><button>Confirm</button>')],
  ])('is confirmed by %s', (_, text) => {
    expect(next(text)).toMatchObject({ method: 'POST', url: 'https://tool.example/confirm' })
  })

  test.each([
    ['a button that leads elsewhere', form('<button>Connect another account</button>')],
    ['one of two forms', form('<button>Yes</button>') + form('<button>Yes</button>')],
    ['a form that changes nothing', form('<button>Continue</button>', 'get')],
    ['a form without a button', form('')],
  ])('is not by %s', (_, text) => {
    expect(next(text)).toBeUndefined()
  })

  test('nor where nothing was brought, or it was refused', () => {
    const text = form('<button>Yes</button>')
    expect(next(text, 'https://tool.example/cb?error=access_denied&state=s')).toBeUndefined()
    expect(next(text, 'https://tool.example/cb')).toBeUndefined()
    expect(next(text, at, 400)).toBeUndefined()
  })
})
