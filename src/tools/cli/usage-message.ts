import type { Command, CommanderError } from 'commander';
import { suggestedCommand, suggestedFlag } from './suggestion.ts';

/**
 * Formats a usage error as one line: `error: unknown command 'sreve'` → `unknown command 'sreve'. Did you mean serve?`
 *
 * @param command the command whose help to show.
 */
export function usageMessage({ message, code }: CommanderError, { path, command }: InvokedCommand): string {
  // A group without a subcommand: commander has printed its help.
  if (code === 'commander.help') return 'pass one of the commands listed above.';
  const plain = message
    .replace(/^error: /, '')
    .trim()
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/s, "unknown $2 '$1'")
    .replace(/^option '.*?(--[\w-]+).*?' argument '(.*)' is invalid/s, "invalid value '$2' for $1")
    .replace(/^option '.*?(--[\w-]+).*?' argument missing$/s, '$1 needs a value');
  const sentence = plain.endsWith('.') ? plain : `${plain}.`;
  const suggestion = suggestionFor(plain, command);
  if (suggestion !== undefined) return `${sentence} Did you mean ${suggestion}?`;
  // The message already names the allowed values.
  if (code === 'commander.invalidArgument') return sentence;
  return `${sentence} Run "${path} --help" for usage.`;
}

function suggestionFor(problem: string, command: Command): string | undefined {
  const [, kind, word = ''] = /^unknown (option|command) '(.*?)(?:=.*)?'$/s.exec(problem) ?? [];
  if (kind === 'option') return suggestedFlag(word, command);
  return kind === 'command' ? suggestedCommand(word, command) : undefined;
}

/** The command that a command line invokes, and its full name: `logclient users show`. */
export interface InvokedCommand {
  readonly path: string;
  readonly command: Command;
}

export function commandOf(program: Command, words: readonly string[]): InvokedCommand {
  let command = program;
  let path = program.name();
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (below === undefined) continue;
    command = below;
    path += ` ${below.name()}`;
  }
  return { path, command };
}
