/** A pseudo-terminal, for clients that ask nobody else. Node has none; the standard library of Python has. */

/**
 * Runs its arguments in a terminal of their own and copies what goes through. It is wide, so that no URL is broken, and
 * neither repeats what is typed nor changes what is printed, until the program says otherwise.
 */
const program = `
import fcntl, os, pty, select, signal, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 100, 2000, 0, 0))
    mode = termios.tcgetattr(0)
    mode[1] &= ~termios.ONLCR
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, mode)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        print(f'cannot start {sys.argv[1]}: {error.strerror}', file=sys.stderr)
        os._exit(127)
signal.signal(signal.SIGTERM, lambda *_: os.killpg(pid, signal.SIGTERM))
sources = [0, terminal]
while True:
    ready, _, _ = select.select(sources, [], [])
    if terminal in ready:
        try:
            text = os.read(terminal, 65536)
        except OSError:
            break
        if not text:
            break
        while text:
            text = text[os.write(1, text):]
    if 0 in ready:
        text = os.read(0, 65536)
        if not text:
            sources.remove(0)
        while text:
            text = text[os.write(terminal, text):]
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`

/** The command that runs this one at a terminal. */
export function atTerminal(command: readonly string[]): readonly string[] {
  return ['python3', '-c', program, ...command]
}

/** What says there that there is no more input (POSIX, General Terminal Interface, EOF). */
export const endOfInput = '\u0004'

/** What ends a line there: the key, which the terminal translates for who reads lines. */
export const enter = '\r'
