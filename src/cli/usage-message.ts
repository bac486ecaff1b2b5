import type { Command, CommanderError } from 'commander';

/**
 * Makes one line of what is wrong with a command line:
 * `error: unknown command 'sreve'\n(Did you mean serve?)` → `unknown command 'sreve'. Did you mean serve?`
 *
 * @param command what has to be said to run the command that was meant.
 */
export function usageMessage({ message, code }: CommanderError, command: string): string {
  // What `help` says of a command that there isn't, and a group of commands when none is named: it prints the help.
  if (code === 'commander.help') return 'name one of the commands that are listed above.';
  const [, problem = message, suggestion] =
    /^(?:error: )?(.*?)\s*(?:\((Did you mean .*\?)\))?$/s.exec(message) ?? [];
  const plain = problem.replace(
    /^command-argument value '(.*)' is invalid for argument '(.*?)'/s,
    "there is no $2 '$1'",
  );
  const sentence = plain.endsWith('.') ? plain : `${plain}.`;
  if (suggestion !== undefined) return `${sentence} ${suggestion}`;
  // What is wrong with a value says itself what it must be.
  if (code === 'commander.invalidArgument') return sentence;
  const isUnknown = code === 'commander.unknownCommand' || code === 'commander.unknownOption';
  return `${sentence} Run "${command} --help" to see ${isUnknown ? 'what there is' : 'how it is used'}.`;
}

/** The command that words lead to, with those before it: `logclient users show`. */
export function commandOf(program: Command, words: readonly string[]): string {
  let command = program;
  let path = program.name();
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word);
    if (below === undefined) continue;
    command = below;
    path += ` ${word}`;
  }
  return path;
}
