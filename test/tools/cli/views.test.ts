import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalServer } from '../../../src/server/index.ts';
import { widthOf } from '../../../src/tools/output/text-width.ts';
import { runView, startWithLogs, VIEWS } from './terminal-views.ts';

const WIDTHS = [60, 100, 200];

let server: LocalServer;
beforeAll(async () => {
  server = await startWithLogs();
});
afterAll(() => server.close());

describe.each(VIEWS)('Terminal view %s', (name, words) => {
  it('fits 60, 100 and 200 columns and matches its snapshot in test/tools/cli/views', async () => {
    const pictures: string[] = [];
    for (const columns of WIDTHS) {
      const { code, stdout, stderr } = await runView(words, { server, columns, env: { NO_COLOR: '1' } });
      expect(code, stderr).toBe(0);
      const lines = `${stdout}${stderr}`.trimEnd().split('\n');
      expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
      pictures.push(`${`── ${columns} columns `.padEnd(columns, '─')}\n${lines.join('\n')}\n`);
    }
    await expect(pictures.join('\n')).toMatchFileSnapshot(`views/${name}.txt`);
  });
});
