import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshProject, type Outcome, ROOT } from './fresh-project.ts';

const run = promisify(execFile);
const isInstalled = await run('pre-commit', ['--version']).then(
  () => true,
  () => false,
);

const DOCS = join(ROOT, 'docs/testing-parsers.md');
const NAMES = ['Check LogScale queries', 'Format LogScale queries', 'Test LogScale queries'];

describe.runIf(isInstalled)('The hooks in docs/testing-parsers.md', () => {
  let project: FreshProject;
  let repository: string;

  /** A Git repository with the example and the hooks, which get the packed package instead of the published one. */
  beforeAll(async () => {
    project = await FreshProject.createEmpty();
    repository = await mkdtemp(join(tmpdir(), 'logclient-hooks-'));
    await cp(join(ROOT, 'examples/detections'), repository, { recursive: true });
    const [hooks] = (await readFile(DOCS, 'utf8')).match(/(?<=```yaml\n)repos:\n[\s\S]*?(?=```)/) ?? [];
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const config = hooks?.replaceAll(`[logclient@${version}]`, `['${project.tarball}']`) ?? '';
    expect(config.split(project.tarball)).toHaveLength(1 + NAMES.length);
    await writeFile(join(repository, '.pre-commit-config.yaml'), config);
    await run('git', ['init', '--quiet'], { cwd: repository });
  });

  afterAll(async () => {
    await project.remove();
    await rm(repository, { recursive: true, force: true });
  });

  /** Runs the hooks on all files, and returns what they print and their results. */
  async function commit(): Promise<{ outcome: Outcome; results: (string | undefined)[] }> {
    await run('git', ['add', '--all'], { cwd: repository });
    const env = { ...process.env, PRE_COMMIT_HOME: join(project.path, 'pre-commit') };
    const outcome = await run('pre-commit', ['run', '--all-files', '--color=never'], {
      cwd: repository,
      env,
    }).then(
      (output): Outcome => ({ code: 0, ...output }),
      ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
    );
    return {
      outcome,
      results: NAMES.map((name) => new RegExp(`^${name}\\.+(\\w+)$`, 'm').exec(outcome.stdout)?.[1]),
    };
  }

  it('are installed by pre-commit, and pass in examples/detections', async () => {
    const { outcome, results } = await commit();
    expect({ ...outcome, results }).toMatchObject({ code: 0, results: ['Passed', 'Passed', 'Passed'] });
  });

  it('fail for a problem and a failed test, and format queries in place', async () => {
    const path = join(repository, 'rules/failed-logons.yml');
    const rule = await readFile(path, 'utf8');
    await writeFile(path, rule.replace('> 5', '> 50'));
    await writeFile(join(repository, 'a b.lql'), 'a=1|cuont()\n');
    const { outcome, results } = await commit();
    expect({ ...outcome, results }).toMatchObject({ code: 1, results: ['Failed', 'Failed', 'Failed'] });
    expect(outcome.stdout).toContain('a b.lql:1:5');
    expect(outcome.stdout).toContain('files were modified by this hook');
    expect(await readFile(join(repository, 'a b.lql'), 'utf8')).toBe('a=1 | cuont()\n');
  });
});

it.skipIf(isInstalled)(
  'The hooks in docs/testing-parsers.md: pre-commit is not installed (apt-get install pre-commit)',
  () => {},
);
