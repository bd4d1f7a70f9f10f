// Drives the page of an ADK client application in Chromium, for `adk-credential/client` with
// "drive": {"adapter": true, "visits": true}. The arguments are the command that serves the page; it gets the
// environment of this process, with PORT, AGENT_URL, AGENT_APP, CONSENT_BEGIN and CONSENT_COMPLETE.
// Only `send`, `signIn` and the selectors know the page.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)
let settings = {}
let server
let browser
let context
let page

/** The user types a message. */
async function send(text) {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** The user clicks what asks them to sign in, each once, and one after the other: there is one mouse. */
let asked = 0
let clicked = Promise.resolve()
function signIn() {
  const button = page.getByRole('button', { name: 'Sign in' }).nth(asked++)
  const click = () => button.click()
  clicked = clicked.then(click, click)
  return clicked
}

async function start() {
  const [command, ...args] = process.argv.slice(2)
  const origin = `http://127.0.0.1:${settings.port}`
  server = spawn(command, args, {
    stdio: ['ignore', process.stderr, 'inherit'],
    env: {
      ...process.env,
      PORT: settings.port,
      AGENT_URL: settings['agent.url'],
      AGENT_APP: settings['agent.app'],
      CONSENT_BEGIN: settings['agent.consentBegin'],
      CONSENT_COMPLETE: settings['agent.consentComplete'],
    },
  })
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  context = await browser.newContext()
  // Where the page leads is reported, and visited by the suite.
  await context.route(
    (url) => url.origin !== origin,
    async (route) => {
      const request = route.request()
      // What the page asks the agent goes there.
      if (!request.isNavigationRequest()) return route.continue()
      say({ event: 'opened', url: request.url() })
      await route.fulfill({ contentType: 'text/html', body: '<title>Provider</title>' })
    },
  )
  await context.exposeFunction('shown', async (text, asks) => {
    say({ event: 'surfaced', text })
    if (asks) await signIn()
  })
  page = await context.newPage()
  await page.addInitScript(() => {
    const look = (records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node.nodeName === 'LI')
            window.shown(node.textContent, node.querySelector('button') !== null)
    }
    addEventListener('DOMContentLoaded', () =>
      new MutationObserver(look).observe(document.getElementById('items'), { childList: true }),
    )
  })
  await untilServed(origin)
  await page.goto(origin)
}

async function untilServed(url) {
  for (let left = 100; left > 0; left -= 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`nothing is served at ${url}`)
}

/** The browser comes back to the application. */
async function visit(url) {
  const back = await context.newPage()
  await back.goto(url)
  await back.close()
}

async function shutdown() {
  await browser?.close()
  server?.kill()
  if (server && server.exitCode === null) await once(server, 'exit')
}

const commands = {
  hello: () => ({ protocol: 1, name: 'adk-page' }),
  configure: (command) => void (settings = command.settings),
  start,
  message: ({ text }) => send(text),
  visit: ({ url }) => visit(url),
  shutdown,
}

async function carryOut({ id, command, ...more }) {
  if (!Object.hasOwn(commands, command)) return { event: 'unsupported', id }
  try {
    return { event: 'settled', id, ...(await commands[command](more)) }
  } catch (error) {
    return { event: 'failed', id, message: String(error) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line)
  say(await carryOut(command))
  if (command.command === 'shutdown') break
}
await shutdown()
process.exit(0)
