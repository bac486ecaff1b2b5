import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshProject, ROOT } from '../fresh-project.ts';

describe('Package checks', { timeout: 120_000 }, () => {
  let project: FreshProject;

  beforeAll(async () => {
    project = await FreshProject.create(['@arethetypeswrong/cli@0.18.5', 'knip@6.44.2', 'publint']);
  }, 180_000);

  afterAll(() => project.remove());

  const tool = (file: string, ...args: string[]) => project.node(join('node_modules', file), ...args);

  it('publint finds no problems', async () => {
    const { code, stdout } = await tool('publint/src/cli.js', project.tarball, '--strict');
    expect(stdout).toContain('All good!');
    expect(code).toBe(0);
  });

  it('attw finds no type problems outside testing/vitest', async () => {
    // vitest can't be required, so what extends it need not be.
    const { code, stdout } = await tool(
      '@arethetypeswrong/cli/dist/index.js',
      project.tarball,
      '--exclude-entrypoints',
      'testing/vitest',
    );
    expect(stdout).toContain('No problems found');
    expect(code).toBe(0);
  });

  it('TypeDoc reports no broken links in the API reference', async () => {
    const typedoc = join(ROOT, 'node_modules/typedoc/bin/typedoc');
    const { code, stderr } = await project.node(
      typedoc,
      '--options',
      ROOT,
      '--tsconfig',
      join(ROOT, 'tsconfig.json'),
      '--emit',
      'none',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('knip finds nothing unused', async () => {
    const { code, stdout } = await tool('knip/bin/knip.js', '--no-progress', '--directory', ROOT);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '' });
  });
});
