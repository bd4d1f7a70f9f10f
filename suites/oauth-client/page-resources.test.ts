import { expect, test } from 'vitest'
import { isForeign, resourcesOf } from './page-resources.ts'

const page = 'https://agent.example.com/oauth/callback?code=c&state=s'
const foreign = (html: string): string[] =>
  resourcesOf(html, page)
    .filter((url) => isForeign(url, page))
    .map(({ href }) => href)

const elsewhere = 'https://cdn.other.example/x'

test.each([
  ['an image with a name', `<script>const i = new Image()\ni.src = '${elsewhere}'</script>`],
  ['an image', `<img src="${elsewhere}">`],
  ['an image without quotes', `<IMG SRC=${elsewhere}>`],
  ['an image whose URL is escaped', `<img src="https:&#47;/cdn.other.example/x">`],
  ['without its scheme', `<img src="//cdn.other.example/x">`],
  ['one of a set', `<img src="a.png" srcset="a.png 1x, ${elsewhere} 2x">`],
  ['a script', `<script src="${elsewhere}"></script>`],
  ['a stylesheet', `<link href='${elsewhere}' rel='alternate stylesheet'>`],
  ['an icon', `<link rel="shortcut icon" href="${elsewhere}">`],
  ['a frame', `<iframe src="${elsewhere}"></iframe>`],
  ['in a frame', `<iframe srcdoc="<img src='${elsewhere}'>"></iframe>`],
  ['a video', `<video><source src="${elsewhere}"></video>`],
  ['a poster', `<video poster="${elsewhere}"></video>`],
  ['an object', `<object data="${elsewhere}"></object>`],
  ['in a style', `<style>p > a { background: url(${elsewhere}) }</style>`],
  ['a style that imports', `<style>@import "${elsewhere}";</style>`],
  ['in the style of an element', `<p style="background:url('${elsewhere}')">x</p>`],
  ['behind a comment', `<!-- > --><img alt="a > b" src="${elsewhere}">`],
  ['behind a script', `<script>"<img"</script><img src="${elsewhere}">`],
  ['an image of a script', `<script>new Image().src = '${elsewhere}' + location.search</script>`],
  [
    'an image of a function',
    `<script>(function (d) { new Image(1, 1).src = "${elsewhere}" })(document)</script>`,
  ],
  [
    'what a script fetches',
    `<script>const a = { b: 1 }; fetch(\`${elsewhere}\${location}\`)</script>`,
  ],
  ['what a script fetches, escaped', `<script>fetch("https:\\/\\/cdn.other.example\\/x")</script>`],
  [
    'what a script sends',
    `<script>void navigator.sendBeacon('${elsewhere}', location.href)</script>`,
  ],
  ['what a script connects to', `<script>// '\nconst s = new EventSource('${elsewhere}')</script>`],
  ['a module', `<script type="module">import { a } from '${elsewhere}'</script>`],
  ['by the body', `<body onload="new Image().src='${elsewhere}'">`],
  ['by the base of the page', `<base href="https://cdn.other.example/"><img src="x">`],
])('%s is loaded from another site', (_, html) => {
  expect(foreign(html)).toEqual([elsewhere])
})

test.each([
  [
    'what may not be come to',
    `<script>(() => { if (a) { return }; fetch('${elsewhere}') })()</script>`,
  ],
  ['nothing', ''],
  ['a link', `<a href="${elsewhere}">back to your agent</a>`],
  ['a form', `<form action="${elsewhere}"></form>`],
  ['the own host', `<link rel="stylesheet" href="/style.css"><img src="logo.png">`],
  ['a sibling host', `<script src="https://assets.example.com/a.js"></script>`],
  ['data', `<img src="data:image/png;base64,AAAA" srcset="data:image/png;base64,AA== 2x">`],
  ['an inline drawing', `<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>`],
  ['what is commented out', `<!-- <img src="${elsewhere}"> -->`],
  ['what a script says', `<script>const html = '<img src="${elsewhere}">'</script>`],
  ['what a script fetches on a click', `<script>b.onclick = () => fetch('${elsewhere}')</script>`],
  [
    'what a script fetches in a function',
    `<script>function f() { fetch('${elsewhere}') }</script>`,
  ],
  ['what a script fetches perhaps', `<script>if (debug) fetch('${elsewhere}')</script>`],
  ['what a script fetches from itself', `<script>fetch('/seen?from=${elsewhere}')</script>`],
  ['what a script opens when asked to', `<script>b.onclick = () => open('${elsewhere}')</script>`],
  ['what a comment of a script says', `<script>// fetch('${elsewhere}')</script>`],
  ['what a string of a script says', `<script>log("fetch('${elsewhere}')")</script>`],
  ['braces that do not match', `<script>/{/; fetch('${elsewhere}')</script>`],
  ['data in a script', `<script type="application/json">fetch('${elsewhere}')</script>`],
  ['what a template holds', `<template><img src="${elsewhere}"></template>`],
  ['an address in words', `<p title="src=${elsewhere}">img src=${elsewhere}</p>`],
  ['a link that loads nothing', `<link rel="canonical" href="${elsewhere}">`],
  ['a namespace', `<style>@namespace url(http://www.w3.org/1999/xhtml);</style>`],
  ['what is commented out of a style', `<style>/* url(${elsewhere}) */</style>`],
])('%s is nothing from another site', (_, html) => {
  expect(foreign(html)).toEqual([])
})

test('of addresses only the same one is the same site', () => {
  const local = 'http://127.0.0.1:4100/callback'
  expect(isForeign(new URL('http://127.0.0.1:4200/x'), local)).toBe(false)
  expect(isForeign(new URL('http://10.0.0.1/x'), local)).toBe(true)
  expect(isForeign(new URL('https://[::1]/x'), local)).toBe(true)
})

test.each([
  '<a ',
  '<a "',
  '<script>',
  '<style>',
  '<!--',
  'url(',
  '<img srcset=" , ',
  '<script>fetch(',
  '<script>{;',
  '<script>(function(){',
])('a page of nothing but %s loads nothing', (part) => {
  expect(foreign(part.repeat(1_000_000 / part.length))).toEqual([])
})
