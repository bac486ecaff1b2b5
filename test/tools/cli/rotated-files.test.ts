import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openNextFile } from '../../../src/tools/settings/rotated-files.ts';

it('the next file after a rotation is opened once it has bytes: until then, the writer has the old one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rotated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'app.log');
  await writeFile(path, 'old\n');
  await rename(path, `${path}.1`);
  expect(await openNextFile(path, Date.now() + 1)).toBeUndefined();
  await writeFile(path, '');
  const later = Date.now() + 1_000;
  expect(await openNextFile(path, later)).toBeUndefined();
  await appendFile(path, 'new\n');
  const next = await openNextFile(path, later);
  expect(await next?.readFile('utf8')).toBe('new\n');
  await next?.close();
});
