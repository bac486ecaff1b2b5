import type { Command, CommanderError } from 'commander';

/**
 * Formats a usage error as one line:
 * `error: unknown command 'sreve'\n(Did you mean serve?)` → `unknown command 'sreve'. Did you mean serve?`
 *
 * @param command the command whose help to show: `logclient users show`.
 */
export function usageMessage({ message, code }: CommanderError, command: string): string {
  // A group without a subcommand: commander has printed its help.
  if (code === 'commander.help') return 'pass one of the commands listed above.';
  const [, problem = message, suggestion] =
    /^(?:error: )?(.*?)\s*(?:\((Did you mean .*\?)\))?$/s.exec(message) ?? [];
  const plain = problem
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/s, "unknown $2 '$1'")
    .replace(/^option '.*?(--[\w-]+).*?' argument '(.*)' is invalid/s, "invalid value '$2' for $1")
    .replace(/^option '.*?(--[\w-]+).*?' argument missing$/s, '$1 needs a value');
  const sentence = plain.endsWith('.') ? plain : `${plain}.`;
  if (suggestion !== undefined) return `${sentence} ${suggestion}`;
  // The message already names the allowed values.
  if (code === 'commander.invalidArgument') return sentence;
  return `${sentence} Run "${command} --help" for usage.`;
}

/** The full name of the command that a command line invokes: `logclient users show`. */
export function commandOf(program: Command, words: readonly string[]): string {
  let command = program;
  let path = program.name();
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (below === undefined) continue;
    command = below;
    path += ` ${below.name()}`;
  }
  return path;
}
