import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = resolve(import.meta.dirname, '../.github/workflows');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: unknown;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = readdirSync(FOLDER);
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

describe.each(files)('.github/workflows/%s', (file) => {
  const { permissions, jobs } = parse(textOf(file)) as Workflow;

  it('pins every action to a commit, with its version in a comment', () => {
    const used = [...textOf(file).matchAll(/^ *(?:- )?uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has only read access by default, and leaves no token in a checkout', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const { uses, with: inputs } of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
      if (uses?.startsWith('actions/checkout'))
        expect(inputs).toMatchObject({ 'persist-credentials': false });
    }
  });

  it('runs no code of dependencies in jobs that may write, which need an environment', () => {
    for (const job of Object.values(jobs)) {
      if (!Object.values(job.permissions ?? {}).includes('write')) continue;
      expect(job.environment).toBeDefined();
      for (const { run = '' } of job.steps ?? []) {
        expect(run).not.toMatch(/npm (?:ci|i|install|run|test|pack)\b|npx/);
        if (run.includes('npm publish')) expect(run).toContain('.tgz --ignore-scripts');
      }
    }
  });
});

it('.github/workflows/release.yml publishes the tarball that it has tested', () => {
  const { jobs } = parse(textOf('release.yml')) as {
    jobs: Record<string, Job & { needs?: string; with?: object }>;
  };
  expect(jobs.pack!.steps!.map(({ run }) => run)).toContain('npm ci --ignore-scripts');
  expect(jobs.test).toMatchObject({ needs: 'pack', with: { tarball: 'tarball' } });
  expect(jobs.publish).toMatchObject({ needs: 'test', permissions: { 'id-token': 'write' } });
  expect(jobs.image).toMatchObject({ needs: 'publish', permissions: { packages: 'write' } });
});
