import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { outlivers, startProcess, type RunningProcess } from './process.ts'

const started: RunningProcess[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop(0)))
})

type Line = readonly ['stdout' | 'stderr', string, number]

/** A process that runs this JavaScript, with its lines as they come. */
async function node(script: string, ...more: string[]) {
  return run(process.execPath, '-e', script, ...more)
}

async function run(...command: string[]) {
  const lines: Line[] = []
  const waiting = new Set<() => void>()
  const floods: true[] = []
  const running = await startProcess({
    command,
    cwd: tmpdir(),
    env: { ...(process.env as Record<string, string>), GREETING: 'hello' },
    onFlood: () => floods.push(true),
    onLine(...line) {
      lines.push(line)
      for (const look of waiting) look()
    },
  })
  started.push(running)
  /** Resolves with the first line that begins so. */
  const line = (begin: string): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.find(([, text]) => text.startsWith(begin))
        if (found) resolve(found[1].slice(begin.length))
      }
      waiting.add(look)
      look()
    })
  return { running, lines, line, floods }
}

/** A line to a process that breaks when the process dies, whoever its parent is. */
async function lifeline() {
  let connected: (connection: { died: Promise<unknown> }) => void = () => undefined
  // In an object, or the promise would be waited for too.
  const begun = new Promise<{ died: Promise<unknown> }>((resolve) => (connected = resolve))
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume()
    connected({ died: once(socket, 'close') })
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    script: `require('node:net').connect(${port}, '127.0.0.1').on('error', () => {});`,
    /** Resolves, once the process is there, with what resolves when it has died. */
    begun,
  }
}

const idle = 'setInterval(() => {}, 1000)'

describe('a command', () => {
  test('is run without a shell, in its folder, with its environment', async () => {
    const script =
      'console.log(process.cwd(), process.env.GREETING, process.argv.slice(1).join("|"))'
    const { running, line } = await node(script, '$HOME', '; exit 3', '*')
    expect(await running.exited).toBe('exited with code 0')
    expect(await line(tmpdir())).toBe(' hello $HOME|; exit 3|*')
    expect(running.exit).toBe('exited with code 0')
  })

  test('says how it ended', async () => {
    expect(await (await node('process.exit(7)')).running.exited).toBe('exited with code 7')
    const { running } = await node('process.kill(process.pid, "SIGKILL")')
    expect(await running.exited).toBe('ended by SIGKILL')
  })

  test('has not ended while it runs', async () => {
    expect((await node(idle)).running.exit).toBeUndefined()
  })

  test.each([['/no/such/program'], ['no-such-program-anywhere'], [tmpdir()]])(
    'that cannot be started is named: %s',
    async (command) => {
      await expect(run(command)).rejects.toThrow(`cannot start ${JSON.stringify(command)}`)
    },
  )

  test.each([[''], ['a\0b']])('that Node refuses to start is named too: %j', async (command) => {
    await expect(run(command)).rejects.toThrow(`cannot start ${JSON.stringify(command)}`)
  })

  test('in a folder that does not exist cannot be started', async () => {
    const missing = fileURLToPath(new URL('no-such-folder', import.meta.url))
    expect(existsSync(missing)).toBe(false)
    await expect(
      startProcess({ command: [process.execPath], cwd: missing, env: {}, onLine: () => undefined }),
    ).rejects.toThrow('cannot start')
  })
})

describe('what it prints', () => {
  test('comes line by line, from both streams, with its size', async () => {
    const { lines, line } = await node(
      'process.stdout.write("one\\n\\ntwo é\\nthree"); process.stderr.write("broken\\n")',
    )
    await Promise.all([line('three'), line('broken')])
    expect(lines.filter(([source]) => source === 'stdout')).toEqual([
      ['stdout', 'one', 3],
      ['stdout', 'two é', 6],
      ['stdout', 'three', 5],
    ])
    expect(lines.filter(([source]) => source === 'stderr')).toEqual([['stderr', 'broken', 6]])
  })

  test('is put together where it comes in pieces, in the middle of a character too', async () => {
    const { line } = await node(`
      const bytes = Buffer.from('piece é\\n')
      process.stdout.write(bytes.subarray(0, 7), () =>
        setImmediate(() => process.stdout.write(bytes.subarray(7))))
    `)
    expect(await line('piece')).toBe(' é')
  })

  test('comes in pieces that overlap where a line is too long', async () => {
    const script =
      'console.log(Array.from({ length: 9000 }, (_, i) => i).join(" ")); console.log("next")'
    const { lines, line } = await node(script)
    await line('next')
    const pieces = lines.map(([, text]) => text).slice(0, -1)
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(16 * 1024)
    const whole = Array.from({ length: 9000 }, (_, index) => index).join(' ')
    let end = 0
    for (const piece of pieces) {
      const at = whole.indexOf(piece)
      // What is torn by the end of one piece stands whole in the next.
      expect(at).toBeGreaterThanOrEqual(0)
      expect(end === 0 || end - at >= 4 * 1024).toBe(true)
      end = at + piece.length
    }
    expect(end).toBe(whole.length)
  })

  test('is bounded where it floods, and told so once', async () => {
    const { running, lines, floods } = await node(`
      let left = 80
      const flood = () => { while (left-- > 0) if (!process.stdout.write('x'.repeat(1048576) + '\\n')) return process.stdout.once('drain', flood) }
      flood()
    `)
    await running.exited
    const size = lines.reduce((sum, [, text]) => sum + text.length, 0)
    expect(size).toBeGreaterThan(32 * 1024 * 1024)
    expect(size).toBeLessThanOrEqual(64 * 1024 * 1024)
    expect(floods).toEqual([true])
  })
})

describe('stopping', () => {
  test('ends it by SIGTERM', async () => {
    const { running, line } = await node(`
      process.on('SIGTERM', () => { console.log('bye'); process.exit(5) })
      console.log('ready'); ${idle}
    `)
    await line('ready')
    await running.stop(60_000)
    expect(running.exit).toBe('exited with code 5')
    expect(await line('bye')).toBe('')
  })

  test('ends it by SIGKILL where it ignores that', async () => {
    const { running, line } = await node(
      `process.on('SIGTERM', () => {}); console.log('ready'); ${idle}`,
    )
    await line('ready')
    await running.stop(20)
    expect(running.exit).toBe('ended by SIGKILL')
  })

  test('ends what it has started, also what ignores SIGTERM', async () => {
    const { script, begun } = await lifeline()
    const grandchild = `process.on('SIGTERM', () => {}); ${script} ${idle}`
    const { running } = await node(`
      require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}],
        { stdio: 'inherit' }).unref(); ${idle}
    `)
    const { died } = await begun
    await running.stop(60_000)
    expect(running.exit).toBe('ended by SIGTERM')
    expect(await died).toEqual([expect.any(Boolean)])
  })

  test('ends what it left behind when it ended by itself', async () => {
    const { script, begun } = await lifeline()
    const { running } = await node(`
      require('node:child_process').spawn(process.execPath,
        ['-e', ${JSON.stringify(`${script} ${idle}`)}], { stdio: 'inherit' })
        .once('spawn', () => process.exit(0))
    `)
    expect(await running.exited).toBe('exited with code 0')
    const { died } = await begun
    await running.stop(60_000)
    expect(await died).toEqual([expect.any(Boolean)])
  })

  test.runIf(existsSync('/proc/self/environ'))(
    'what left its group is not ended, but named',
    async () => {
      const script = `
        const { spawn } = require('node:child_process')
        const away = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'],
          { detached: true, stdio: 'ignore' })
        away.unref()
        console.log('away ' + away.pid)
        setInterval(() => 0, 1000)`
      const { running, line } = await node(script)
      const away = Number(await line('away '))
      try {
        expect(outlivers().map(({ pid }) => pid)).toContain(away)
        expect(outlivers().map(({ pid }) => pid)).not.toContain(running.pid)
        await running.stop(1000)
        const found = outlivers().find(({ pid }) => pid === away)
        expect(found?.command).toContain('setInterval')
      } finally {
        process.kill(away, 'SIGKILL')
      }
      await expect.poll(() => outlivers().some(({ pid }) => pid === away)).toBe(false)
    },
  )

  test('may be asked for again', async () => {
    const { running } = await node(idle)
    await running.stop(60_000)
    await running.stop(60_000)
    expect(running.exit).toMatch(/^(ended by SIGTERM|exited)/)
  })
})
