import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';

const commands = everyCommand(createProgram());
const NARROW = 40;

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function helpOf(command: Command, width: number): string[] {
  const parts: string[] = [];
  command.configureOutput({ getOutHelpWidth: () => width, writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return parts.join('').split('\n');
}

/** Commands to paste are never wrapped. */
function isCommandLine(line: string): boolean {
  return /^( {2}\$|Usage:) /.test(line);
}

describe('the help of every command', () => {
  it('fits into 80 columns', () => {
    const lines = commands.flatMap((command) => helpOf(command, 80));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('wraps at words in a narrow terminal', () => {
    const lines = commands.flatMap((command) => helpOf(command, NARROW));
    const isOneItem = (line: string): boolean => /^ *(-\S,? ?)?\S+( [<[]\S+)*$/.test(line);
    expect(lines.filter((line) => line.length > NARROW && !isCommandLine(line) && !isOneItem(line))).toEqual(
      [],
    );
  });

  it('has the same words in a narrow terminal as in a wide one', () => {
    const words = (command: Command, width: number): string[] =>
      helpOf(command, width).join(' ').replaceAll(' # ', ' ').split(/\s+/);
    for (const command of commands) expect(words(command, NARROW)).toEqual(words(command, 80));
  });

  it('lists its own flags before the output and connection flags', () => {
    const headings = commands.map((command) =>
      helpOf(command, 80).filter((line) => /^(Options|Output|Connection):$/.test(line)),
    );
    const orders = new Set(headings.map((names) => names.join(' ')));
    expect([...orders].sort()).toEqual([
      '',
      'Options:',
      'Options: Connection:',
      'Options: Output: Connection:',
    ]);
  });
});
