import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HTTP_MOCKS, mockedOutput } from '../../helpers/http-mocks.ts';
import { FreshProject } from '../fresh-project.ts';

/** Versions that need a later Node than the other tests. */
const LATER_MOCKS = ['nock@15', 'msw@3', 'undici@8'];

let project: FreshProject;

beforeAll(async () => {
  project = await FreshProject.create(['pino', 'winston', ...LATER_MOCKS]);
  const installed = await project.run('npm', 'install', '--no-audit', '--foreground-scripts', 'node@22.23.3');
  expect(installed).toMatchObject({ code: 0 });
  const fixture = join(import.meta.dirname, '../../fixtures/http-mock.mjs');
  await copyFile(fixture, join(project.path, 'http-mock.mjs'));
}, 180_000);

afterAll(() => project.remove());

it.each(HTTP_MOCKS)(
  '$mock on Node 22 intercepts client and in-process delivery when installed $order logclient loads',
  async ({ mock, order }) => {
    const node = join(project.path, 'node_modules/node/bin/node');
    const { stdout, stderr } = await project.run(
      'env',
      `MOCK=${mock}`,
      `ORDER=${order}`,
      node,
      'http-mock.mjs',
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(mockedOutput(mock));
  },
);
