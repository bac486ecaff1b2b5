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

describe('Help of every command', () => {
  it('fits into 80 columns', () => {
    const lines = commands.flatMap((command) => helpOf(command, 80));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('wraps at words in 40 columns', () => {
    const lines = commands.flatMap((command) => helpOf(command, NARROW));
    const isOneItem = (line: string): boolean => /^ *(-\S,? ?)?\S+( [<[]\S+)*$/.test(line);
    expect(lines.filter((line) => line.length > NARROW && !isCommandLine(line) && !isOneItem(line))).toEqual(
      [],
    );
  });

  it('has the same words in 40 columns as in 80', () => {
    const words = (command: Command, width: number): string[] =>
      helpOf(command, width).join(' ').replaceAll(' # ', ' ').split(/\s+/);
    for (const command of commands) expect(words(command, NARROW)).toEqual(words(command, 80));
  });

  it('lists "Options" before "Output" and "Connection"', () => {
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
