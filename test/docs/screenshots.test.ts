import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';
import { runView, startWithLogs, VIEWS } from '../tools/cli/terminal-views.ts';
import { terminalSvg } from './terminal-svg.ts';

const FOLDER = join(import.meta.dirname, '../../docs/images');
const COLUMNS = 100;

let server: LocalServer;
beforeAll(async () => {
  server = await startWithLogs();
});
afterAll(() => server.close());

describe.each(VIEWS)('Screenshots of the terminal view %s in the docs', (name, words) => {
  it.each(['dark', 'light'] as const)(
    'match the output of the command (npm run docs:screenshots updates them): %s',
    async (theme) => {
      const { stdout, stderr } = await runView(words, {
        server,
        columns: COLUMNS,
        env: { FORCE_COLOR: '1' },
      });
      const command = words.map((word) => (/[^\w#=-]/.test(word) ? `'${word}'` : word)).join(' ');
      const text = `\u001b[1m$ logclient ${command}\u001b[22m\n${stdout}\u001b[2m${stderr}`;
      const svg = terminalSvg(text, { columns: COLUMNS, theme });
      await expect(svg).toMatchFileSnapshot(join(FOLDER, `cli-${name}-${theme}.svg`));
    },
  );
});
