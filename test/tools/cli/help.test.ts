import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { runCommand } from '../../helpers/cli-run.ts';

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

  it('says what it does, then how to use it, with at most three examples before the flags', () => {
    const topics = ['exit-codes', 'environment', 'connection', 'output'];
    for (const command of commands.filter((each) => !topics.includes(each.name()))) {
      const text = helpOf(command, 80).join('\n');
      expect(text).toMatch(
        /^[A-Z][^$]+\n\nUsage: logclient .*\n\n(Examples:\n( {2}# .*\n)+( {2}\$ .*\n( {2}# .*\n)*){1,3}(\d+ more: .*\n)?\n)?(?:$|Arguments:|Options:|Commands:|Output:|Connection:|Logs:)/,
      );
    }
  });

  it('has flags of connections and outputs in one line each, except where they are the subject', () => {
    const help = (name: string) => helpOf(commands.find((each) => each.name() === name)!, 80);
    const groupsOf = (name: string) =>
      help(name).filter((line) => /^(Options|Output|Connection):/.test(line));
    const connection = 'Connection: --url, --repository, --token-file …: logclient help connection';
    expect(groupsOf('query')).toEqual(['Options:', 'Output:', connection]);
    expect(groupsOf('me')).toEqual([
      'Output: --output, --json, --template …: logclient help output',
      connection,
    ]);
    expect(groupsOf('login')).toEqual(['Connection:']);
    expect(groupsOf('describe')).toEqual(['Output:', connection]);
    expect(help('connection').join('\n')).toMatch(
      /^Flags:\n {2}--url <address> [\s\S]*\n {2}--timeout <seconds> /,
    );
  });
});

describe('Flags of commands', () => {
  const flagsOf = (path: string): string[] => {
    const command = path
      .split(' ')
      .reduce((above, name) => above.commands.find((each) => each.name() === name)!, createProgram());
    return command.options.map(({ long }) => long!);
  };

  it('of tail have no charts and no pager', () => {
    expect(flagsOf('tail')).not.toContain('--no-chart');
    expect(flagsOf('tail')).not.toContain('--no-pager');
    expect(flagsOf('query')).toEqual(expect.arrayContaining(['--no-chart', '--no-pager', '--timezone']));
  });

  it('of lists have no charts and no time zone', () => {
    expect(flagsOf('users list')).not.toContain('--no-chart');
    expect(flagsOf('users list')).not.toContain('--timezone');
  });

  it.each([
    'users delete',
    'tokens delete',
    'tokens unassign',
    'views delete',
    'views describe',
    'repositories delete',
    'repositories describe',
    'saved-queries delete',
    'parsers delete',
    'parsers pull',
    'files upload',
    'files download',
    'files delete',
  ])('of %s, which prints no rows, have no output formats', (path) => {
    expect(flagsOf(path)).toContain('--quiet');
    expect(flagsOf(path)).not.toContain('--json');
  });
});

describe('A suggestion', () => {
  it.each([
    ['repositories retention sandbox --time 30', '--days'],
    ['repositories retention sandbox --dasy 30', '--days'],
    ['query --start 1h', '--since'],
    ['query --format=json', '--output'],
    ['query --repo x', '--repository'],
    ['query --tiemout 3', '--timeout'],
    ['query --tail 5', '--limit'],
    ['query --last 5m', '--since'],
    ['query --csv', '--output csv'],
    ['query --ndjson', '--output ndjson'],
    ['lint --json', '--output json'],
    ['tail --tail 5', '--last'],
    ['saved-queries create x y --from 1h', '--start'],
    ['ingest --live', '--follow'],
    ['tokens create web --overwrite', '--if-exists'],
    ['tail --follow', undefined],
    ['query --foo', undefined],
    ['users delete x --json', undefined],
    ['qurey', 'query'],
    ['users lst', 'list'],
    ['repositories ls', 'list'],
    ['tokens rm x', 'delete'],
    ['users add x', 'create'],
    ['files get x', 'show'],
    ['tokens get x', 'list'],
    ['-v', '--version'],
    ['export', 'query'],
    ['upload a.csv', 'files'],
    ['profile list', 'auth'],
    ['auth profiles', 'status'],
    ['xyzzy', undefined],
  ])('for %j is %s', async (line, expected) => {
    const { code, stderr } = await runCommand(line.split(' '));
    expect(code).toBe(2);
    const [, suggestion] = /\. Did you mean (\S+(?: \w+)?)\?\n$/.exec(stderr) ?? [];
    expect(suggestion).toBe(expected);
  });
});
