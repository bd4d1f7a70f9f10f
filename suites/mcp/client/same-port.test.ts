import { expect, test } from 'vitest'
import { ClientRecording } from '../../testing.ts'
import { havePortInCommon } from './same-port.ts'

const opened = (...urls: readonly string[]) =>
  urls.reduce((all, url) => all.step('opened', { url }), new ClientRecording('a', 0)).transcript

const at = (redirectUri: string) =>
  opened(
    `https://provider.example/authorize?${new URLSearchParams({ redirect_uri: redirectUri }).toString()}`,
  )

const pushed = (redirectUri: string) =>
  new ClientRecording('a', 0).event({
    type: 'provider',
    event: 'authorization-request',
    detail: { redirectUri },
  }).transcript

const fixed = 'http://127.0.0.1:3334/callback'

test.each([
  ['the same port', at(fixed), at(fixed)],
  ['the same port under another name', at(fixed), at('http://localhost:3334/oauth')],
  ['the same port in a pushed request', at(fixed), pushed(fixed)],
])('are served one after the other: %s', (_, one, other) => {
  expect(havePortInCommon(one, other)).toBe(true)
})

test.each([
  ['other ports', at(fixed), at('http://127.0.0.1:40123/callback')],
  ['no port', at('https://app.example/callback'), at('https://app.example/callback')],
  ['a scheme of their own', at('com.example.app:/callback'), at('com.example.app:/callback')],
  ['nothing opened', opened(), at(fixed)],
  ['something else opened', opened('file:///etc/passwd', 'no URL'), at(fixed)],
])('are served side by side: %s', (_, one, other) => {
  expect(havePortInCommon(one, other)).toBe(false)
})
