import type { Command, Option } from 'commander';
import { examplesOf } from '../../../src/tools/cli/examples.ts';
import { firstSentence } from '../../../src/tools/cli/help-format.ts';

/** Groups of flags that several commands have, and their headings in the documentation. */
const SHARED = [
  ['Output:', '## Output flags'],
  ['Connection:', '## Connection flags'],
] as const;

/** The generated part of docs/commands.md. */
export function commandReference(commands: readonly Command[]): string {
  const shared = SHARED.flatMap(([group, title]) => [title, flagTable(flagsOf(leaves(commands), group))]);
  const contents = commands.map(contentsLine).join('\n');
  return ['## All commands', contents, ...shared, ...commands.flatMap(section)].join('\n\n');
}

/** A link to the section of a command, with its aliases, what it does, and the names of its subcommands. */
function contentsLine(command: Command): string {
  const name = [command.name(), ...command.aliases()].join(', ');
  const does = firstSentence(command.description()).replace(/\.$/, '');
  const more = command.commands.map((part) => `\`${part.name()}\``).join(', ');
  return `- [${name}](#${command.name()}): ${does}${more === '' ? '' : `: ${more}`}`;
}

/** The commands without subcommands. */
export function leaves(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : leaves(command.commands),
  );
}

/** The flags of a group, from the first command that has any. */
export function flagsOf(commands: readonly Command[], group: string): readonly Option[] {
  const lists = commands.map(({ options }) => options.filter((option) => option.helpGroupHeading === group));
  return lists.find((options) => options.length > 0)!;
}

function section(command: Command): string[] {
  const parts = leaves([command]);
  return [`## ${command.name()}`, usage(parts), ownFlags(parts), examples(parts)].filter(
    (part) => part !== '',
  );
}

function usage(commands: readonly Command[]): string {
  const [first] = commands;
  if (commands.length === 1) return `\`${usageOf(first!)}\`\n\n${first!.description()}`;
  const rows = commands.map((command) => `| \`${usageOf(command)}\` | ${cell(command.description())} |`);
  return ['| command | description |', '|---|---|', ...rows].join('\n');
}

function examples(commands: readonly Command[]): string {
  const lines = commands.flatMap(examplesOf).flatMap(([line, meaning]) => [`# ${meaning}`, line]);
  return ['```sh', ...lines, '```'].join('\n');
}

/** Flags that are not shared, each once, with the names of their commands unless all commands have them. */
function ownFlags(commands: readonly Command[]): string {
  const rows = new Map<string, { option: Option; names: string[] }>();
  for (const command of commands) {
    for (const option of command.options.filter(({ helpGroupHeading: group }) => !isShared(group))) {
      const key = `${option.flags} ${option.description}`;
      const row = rows.get(key) ?? { option, names: [] };
      row.names.push(command.name());
      rows.set(key, row);
    }
  }
  if (rows.size === 0) return '';
  if (commands.length === 1) return flagTable([...rows.values()].map(({ option }) => option));
  const lines = [...rows.values()].map(
    ({ option, names }) => `| \`${option.flags}\` | ${names.join(', ')} | ${cell(option.description)} |`,
  );
  return ['| flag | commands | meaning |', '|---|---|---|', ...lines].join('\n');
}

function isShared(group: string | undefined): boolean {
  return SHARED.some(([name]) => name === group);
}

function flagTable(options: readonly Option[]): string {
  const lines = options.map(({ flags, description }) => `| \`${flags}\` | ${cell(description)} |`);
  return ['| flag | meaning |', '|---|---|', ...lines].join('\n');
}

function usageOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [pathOf(command), ...words].join(' ');
}

function pathOf(command: Command): string {
  const above = command.parent === null ? '' : `${pathOf(command.parent)} `;
  return above + command.name();
}

function cell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|');
}
