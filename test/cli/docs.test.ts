import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/cli/examples.ts';
import { createProgram } from '../../src/cli/program.ts';
import { VARIABLES } from '../../src/cli/settings/environment.ts';

const DOCS = await readFile(resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');
const program = createProgram();
const TOPICS = ['exit-codes', 'environment', 'output'];

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function pathOf(command: Command): string {
  const above = command.parent === null ? '' : `${pathOf(command.parent)} `;
  return above + command.name();
}

/** The rows of a table of flags, as the documentation has them. */
function flagRows(options: readonly Option[]): string[] {
  return options.map(({ flags, description }) => `| \`${flags}\` | ${description} |`.replaceAll('\n', ' '));
}

/** The rows of the flags in a part of the documentation. */
function documentedRows(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('| `-'));
}

function section(title: string): string {
  const [, rest = ''] = DOCS.split(`\n${title}\n`);
  return rest.split(/\n#{2,4} /)[0]!;
}

const commands = leaves(program).filter((command) => !TOPICS.includes(command.name()));

describe('docs/cli.md', () => {
  it.each(commands.map((command) => [pathOf(command), command] as const))(
    'has %s with its flags and examples',
    (path, command) => {
      const words = command.registeredArguments.map((argument) => {
        const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
        return argument.required ? ` <${name}>` : ` [${name}]`;
      });
      const text = section(`#### \`${path}${words.join('')}\``);
      expect(text).toContain(command.description());
      const own = command.options.filter(
        ({ helpGroupHeading: group }) => group !== 'Output:' && group !== 'Connection:',
      );
      expect(documentedRows(text)).toEqual(flagRows(own));
      for (const [line, meaning] of examplesOf(command)) expect(text).toContain(`# ${meaning}\n${line}\n`);
    },
  );

  it.each([
    ['Output:', '## Output'],
    ['Connection:', '## Settings'],
  ])('has the flags of the group %s once, and all commands have the same', (heading, title) => {
    const groups = commands
      .map((command) => command.options.filter(({ helpGroupHeading }) => helpGroupHeading === heading))
      .filter((options) => options.length > 0)
      .map(flagRows);
    expect(new Set(groups.map((rows) => rows.join('\n'))).size).toBe(1);
    expect(documentedRows(section(title))).toEqual(groups[0]);
  });

  it('has no command that there is not', () => {
    const titles = [...DOCS.matchAll(/^#### `(logclient [a-z -]*?)(?: [[<].*)?`$/gm)].map(([, path]) => path);
    expect(titles.sort()).toEqual(commands.map(pathOf).sort());
  });

  it('has every environment variable', () => {
    for (const name of Object.values(VARIABLES).flat())
      expect(section('## Settings')).toContain(`\`${name}\``);
  });
});
