import { expect, it } from 'vitest';
import { workerFlags } from '../../src/core/worker-flags.ts';

it('workerFlags() keeps the flags of the permission model and their values, and no preloaded modules', () => {
  const preloads = ['--import', 'logclient/auto', '--require=dd-trace/init', '-r', 'tsx'];
  const permissions = [
    '--permission',
    '--allow-fs-read=/app',
    '--allow-fs-write',
    '/var/spool',
    '--allow-net',
    '--allow-worker',
  ];
  expect(workerFlags([...preloads, ...permissions, '--enable-source-maps', '--title', 'app'])).toEqual(
    permissions,
  );
  expect(workerFlags(['--experimental-permission'])).toEqual(['--experimental-permission']);
});
