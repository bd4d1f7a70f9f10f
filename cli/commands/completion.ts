/** `aoc completion`: what a shell is told so that it completes commands, options and profiles. */

/** Shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const
/** One of {@link shells}. */
export type Shell = (typeof shells)[number]

/** The script; options are asked of the command itself, so that none is ever out of date. */
export function completionScript(shell: Shell, commands: readonly string[]): string {
  return shell === 'fish' ? fish(commands) : bash(commands, shell)
}

const names = ['aoc', 'agent-oauth-conformance']

function bash(commands: readonly string[], shell: 'bash' | 'zsh'): string {
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_aoc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.join(' ')}"
  elif [ "\${COMP_WORDS[COMP_CWORD-1]}" = --profile ]; then
    words="$("\${COMP_WORDS[0]}" list profiles 2>/dev/null | cut -d' ' -f1)"
  else
    case "$current" in
      -*) words="$("\${COMP_WORDS[0]}" "\${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)" ;;
      *) COMPREPLY=($(compgen -f -- "$current")); return ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _aoc ${names.join(' ')}
`
}

function fish(commands: readonly string[]): string {
  return names
    .map(
      (name) => `complete -c ${name} -n __fish_use_subcommand -f -a "${commands.join(' ')}"
complete -c ${name} -l profile -x -a "(${name} list profiles 2>/dev/null | string replace -r ' .*' '')"
complete -c ${name} -n 'not __fish_use_subcommand' -a "(${name} (commandline -opc)[2] --help 2>/dev/null | string match -ar -- '--[a-z-]+' | sort -u)"
`,
    )
    .join('')
}
