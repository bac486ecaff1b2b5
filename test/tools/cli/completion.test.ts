import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Help } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { CLI_FILE, hasProgram } from '../../helpers/cli-process.ts';
import { runCommand } from '../../helpers/cli-run.ts';

/** Partial words and their completions. */
const LINES = [
  'logclient files dow',
  'logclient query -o nd',
  'logclient tail --hi',
  'logclient completion f',
];
const COMPLETED = [
  'logclient files download',
  'logclient query -o ndjson',
  'logclient tail --highlight',
  'logclient completion fish',
];

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

/** Runs a shell that finds the built command. */
async function runShell(shell: string, args: readonly string[]): Promise<string> {
  const folder = await newFolder();
  await writeFile(join(folder, 'logclient'), `#!/bin/sh\nexec '${process.execPath}' '${CLI_FILE}' "$@"\n`);
  await chmod(join(folder, 'logclient'), 0o755);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  return execFileSync(shell, args, { encoding: 'utf8', timeout: 60_000, env });
}

/** What can replace the last word, without descriptions. */
async function candidates(...words: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runCommand(['__complete', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout === ''
    ? []
    : stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')[0]!);
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-completion-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('logclient completion', () => {
  it('completes the names of profiles, of our own file and of that of humioctl', async () => {
    const home = await newFolder();
    await mkdir(join(home, 'logclient'));
    await mkdir(join(home, '.humio'));
    await writeFile(join(home, 'logclient/config.yaml'), 'profiles:\n  prod: {}\n  test: {}\n');
    await writeFile(join(home, '.humio/config.yaml'), 'profiles:\n  preview: {}\n  test: {}\n');
    const env = { XDG_CONFIG_HOME: home, HOME: home };
    const complete = async (...words: string[]) =>
      (await runCommand(['__complete', ...words], { env })).stdout;
    expect(await complete('query', '--profile', '')).toBe('prod\ntest\npreview\n');
    expect(await complete('tail', '-u', 'p')).toBe('prod\npreview\n');
    await writeFile(join(home, 'logclient/config.yaml'), ': [');
    expect(await complete('tail', '-u', 'p')).toBe('');
  });

  it.each([
    [['ta'], ['tail']],
    [
      ['files', 'd'],
      ['download', 'delete'],
    ],
    [['--url', 'x', 'files', 'list', '--repo'], ['--repository']],
    [['query', '-o', 'c'], ['csv']],
    [
      ['query', '--fail-on'],
      ['--fail-on-empty', '--fail-on-match'],
    ],
    [['query', '--limit', ''], []],
    [['query', '--file', 'x'], [':path']],
    [['query', 'app'], [':path']],
    [['ingest', 'app'], [':path']],
    [['users', 'show', 'x'], []],
    [['users', 'help'], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', '--no-such-flag'], []],
  ])('offers for %j: %j', async (words, expected) => {
    expect(await candidates(...words)).toEqual(expected);
  });

  it('offers every command and every flag, with its description', async () => {
    const visit = async (command: Command, path: readonly string[]): Promise<void> => {
      const help = command.createHelp();
      const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
      expect(await candidates(...path, '')).toEqual(
        expect.arrayContaining(children.map((child) => child.name())),
      );
      const { stdout } = await runCommand(['__complete', ...path, '--']);
      for (const { long, description } of new Help().visibleOptions(command))
        expect(stdout).toContain(`${long}\t${description}\n`);
      for (const child of children) await visit(child, [...path, child.name()]);
    };
    await visit(createProgram(), []);
  });

  it('completes commands, and files with spaces where a file is expected, in bash', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'one log'), '');
    const beginning = join(folder, 'one');
    const lines = [
      ['files', 'd'],
      ['ingest', beginning],
      ['users', 'show', beginning],
    ];
    const program = `${await script('bash')}
offered() { COMP_WORDS=(logclient "$@"); COMP_CWORD=$#; _logclient; printf '%s\\n' "\${COMPREPLY[@]}"; }
${lines.map((words) => `offered ${words.join(' ')}`).join('\n')}`;
    const text = await runShell('bash', ['--norc', '-c', program]);
    expect(text.split('\n')).toEqual(['download', 'delete', `${beginning} log`, '', '']);
  });

  it.skipIf(!hasProgram('fish'))('completes subcommands, flags and values in fish', async () => {
    const lines = LINES.map((line) => `complete -C ${JSON.stringify(line)}`).join('; ');
    const file = join(await newFolder(), 'logclient.fish');
    await writeFile(file, `${await script('fish')}\n${lines}`);
    const text = await runShell('fish', ['--no-config', file]);
    const words = text.trim().split('\n');
    expect(words.map((word) => word.split('\t')[0])).toEqual(COMPLETED.map((line) => line.split(' ').at(-1)));
  });

  it.skipIf(!hasProgram('zsh'))('completes subcommands, flags and values in zsh', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, '_logclient'), await script('zsh'));
    // A shell in a separate terminal: it waits for each line until it is complete.
    const program = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D; bindkey "^I" complete-word; echo READ''Y'
zpty -r shell answer '*READY*'
${LINES.map((line, index) => `zpty -w -n shell $'\\x15${line}\\t'; zpty -r shell answer '*${COMPLETED[index]}*'`).join('\n')}
zpty -d shell
echo complete`;
    const text = await runShell('zsh', ['-f', '-c', program]);
    expect(text.trim()).toBe('complete');
  });

  it('lists the supported shells for an unknown shell', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^logclient: .*tcsh.* bash, zsh, fish\.\n$/),
    });
  });
});
