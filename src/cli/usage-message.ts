import type { CommanderError } from 'commander';

/**
 * Makes one line of what is wrong with a command line:
 * `error: unknown command 'sreve'\n(Did you mean serve?)` → `unknown command 'sreve'. Did you mean serve?`
 */
export function usageMessage({ message, code }: CommanderError): string {
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
  const isUnknown = code === 'commander.unknownCommand' || code === 'commander.unknownOption';
  return isUnknown ? `${sentence} Run "logclient --help" to see what there is.` : sentence;
}
