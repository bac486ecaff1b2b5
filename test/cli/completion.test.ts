import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { allTrees, completionTree } from '../../src/cli/completion/completion-tree.ts';
import { createProgram } from '../../src/cli/program.ts';
import { runCommand } from '../helpers/cli-run.ts';

const trees = allTrees(completionTree(createProgram()));

async function script(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

/** What bash offers for the last of some words. */
async function offered(...words: string[]): Promise<string[]> {
  const program = `${await script('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _logclient; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', program, 'bash', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

describe('logclient completion', () => {
  it('offers commands, the commands below them, flags and the values of flags in bash', async () => {
    expect(await offered('logclient', 'ta')).toEqual(['tail']);
    expect(await offered('logclient', 'files', 'd')).toEqual(['download', 'delete']);
    expect(await offered('logclient', '--url', 'x', 'files', 'list', '--repo')).toEqual(['--repository']);
    expect(await offered('logclient', 'query', '-o', 'c')).toEqual(['csv']);
    expect(await offered('logclient', 'query', '--fail-on')).toEqual(['--fail-on-empty', '--fail-on-match']);
  });

  it.each(['bash', 'zsh', 'fish'])('knows every command and every flag in %s', async (shell) => {
    const text = await script(shell);
    for (const { path, flags } of trees) {
      expect(text).toContain(path.at(-1));
      for (const { names } of flags)
        for (const name of names) expect(text).toContain(name.replace(/^--?/, ''));
    }
  });

  it('names the shells that it knows for any other', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'logclient: there is no completion for "tcsh". Known shells: bash, zsh, fish.\n',
    });
  });
});
