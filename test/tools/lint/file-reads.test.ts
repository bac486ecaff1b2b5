import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

const reads = vi.hoisted(() => ({ count: 0 }));

vi.mock(import('../../../src/tools/sources/yaml-queries.ts'), async (original) => {
  const { queriesInYaml } = await original();
  return {
    queriesInYaml(...given) {
      reads.count += 1;
      const found = queriesInYaml(...given);
      return {
        ...found,
        queries: found.queries.map((query) => ({
          ...query,
          read(text: string) {
            reads.count += 1;
            return query.read!(text);
          },
        })),
      };
    },
  };
});

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-reads-'));
  reads.count = 0;
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([2, 60])('lint --fix parses a file with %i widgets five times at most', async (widgets) => {
  const path = join(folder, 'dashboard.yaml');
  const widget = (place: number) =>
    `  - title: w${place}\n    queryString: level=='error' | stats count by host\n`;
  await writeFile(path, `widgets:\n${Array.from({ length: widgets }, (_, place) => widget(place)).join('')}`);
  const { code } = await runCommand(['lint', path, '--fix']);
  expect(code).toBe(0);
  expect((await readFile(path, 'utf8')).split('groupBy(host, function=count())')).toHaveLength(widgets + 1);
  expect(reads.count).toBeLessThanOrEqual(5);
});
