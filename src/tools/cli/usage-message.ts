import type { Command, CommanderError } from 'commander';
import { examplesOf } from './examples.ts';

/**
 * Formats a usage error as one line: `error: unknown command 'sreve'` → `unknown command 'sreve'. Did you mean serve?`
 *
 * @param command the command whose help to show.
 */
export async function usageMessage({ message, code }: CommanderError, invoked: InvokedCommand) {
  // A group without a subcommand: commander has printed its help.
  if (code === 'commander.help') return 'pass one of the commands listed above.';
  const plain = message
    .replace(/^error: /, '')
    .trim()
    .replace(/^command-argument value '(.*)' is invalid for argument '(.*?)'/s, "unknown $2 '$1'")
    .replace(/^option '.*?(--[\w-]+).*?' argument '(.*)' is invalid/s, "invalid value '$2' for $1")
    .replace(/^option '.*?(--[\w-]+).*?' argument missing$/s, '$1 needs a value')
    .replace(CONFLICT, "$2 and $1 can't be combined; pass only one");
  const sentence = plain.endsWith('.') ? plain : `${plain}.`;
  // The message already says what to pass.
  if (/invalidArgument|conflictingOption/.test(code)) return sentence;
  return `${sentence} ${await adviceFor(plain, code, invoked)}`;
}

const CONFLICT = /^option '.*?(--[\w-]+).*?' cannot be used with option '.*?(--[\w-]+).*$/s;

async function adviceFor(problem: string, code: string, { path, command }: InvokedCommand) {
  const [, kind, word = ''] = /^unknown (option|command) '(.*?)(?:=.*)?'$/s.exec(problem) ?? [];
  if (kind === 'option' && command.options.some(({ short, long }) => word === short || word === long))
    return `Put it after the command: ${path} ${word}`;
  const { suggestedCommand, suggestedFlag } = await import('./suggestion.ts');
  const suggestion =
    kind === 'option' ? suggestedFlag(word, command) : kind && suggestedCommand(word, command);
  if (suggestion !== undefined) return `Did you mean ${suggestion}?`;
  const isOneQuery = command.registeredArguments.at(-1)?.name() === 'query';
  if (code === 'commander.excessArguments' && isOneQuery) {
    return `Quote a query that has spaces: ${path} 'level=error #service=shop'`;
  }
  const flag = command.options.find(({ long }) => problem === `${long} needs a value`);
  if (flag !== undefined) return command.createHelp().optionDescription(flag);
  const [example] = examplesOf(command);
  return code === 'commander.missingArgument' && example !== undefined
    ? `Example: ${example[0]}`
    : `Run "${path} --help" for usage.`;
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
