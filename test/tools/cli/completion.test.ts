import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allTrees, completionTree } from '../../../src/tools/cli/completion/completion-tree.ts';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { hasProgram } from '../../helpers/cli-process.ts';
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

const trees = allTrees(completionTree(createProgram()));

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-completion-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const program = `${await script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _logclient; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', program, 'bash', ...words], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

describe('logclient completion', () => {
  it('completes commands, subcommands, flags and flag values in bash', async () => {
    expect(await offered('logclient', 'ta')).toEqual(['tail']);
    expect(await offered('logclient', 'files', 'd')).toEqual(['download', 'delete']);
    expect(await offered('logclient', '--url', 'x', 'files', 'list', '--repo')).toEqual(['--repository']);
    expect(await offered('logclient', 'query', '-o', 'c')).toEqual(['csv']);
    expect(await offered('logclient', 'query', '--fail-on')).toEqual(['--fail-on-empty', '--fail-on-match']);
  });

  it('completes file names in bash only where a file is expected, also with spaces', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'one log'), '');
    const beginning = join(folder, 'one');
    expect(await offered('logclient', 'ingest', beginning)).toEqual([`${beginning} log`]);
    expect(await offered('logclient', 'query', '--file', beginning)).toEqual([`${beginning} log`]);
    expect(await offered('logclient', 'query', '--limit', beginning)).toEqual(['']);
    expect(await offered('logclient', 'users', 'show', beginning)).toEqual(['']);
    expect(await offered('logclient', 'completion', 'z')).toEqual(['zsh']);
  });

  it.skipIf(!hasProgram('fish'))('completes subcommands, flags and values in fish', async () => {
    const lines = LINES.map((line) => `complete -C ${JSON.stringify(line)}`).join('; ');
    const file = join(await newFolder(), 'logclient.fish');
    await writeFile(file, `${await script('fish')}\n${lines}`);
    const text = execFileSync('fish', ['--no-config', file], { encoding: 'utf8', timeout: 60_000 });
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
    const text = execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8', timeout: 60_000 });
    expect(text.trim()).toBe('complete');
  });

  it.each(['bash', 'zsh', 'fish'])(
    'includes every command and every flag in the %s script',
    async (shell) => {
      const text = await script(shell);
      for (const { path, flags } of trees) {
        expect(text).toContain(path.at(-1));
        for (const { names } of flags)
          for (const name of names) expect(text).toContain(name.replace(/^--?/, ''));
      }
    },
  );

  it('lists the supported shells for an unknown shell', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^logclient: .*tcsh.* bash, zsh, fish\.\n$/),
    });
  });
});
