import { expect, it } from 'vitest';
import { cliCommand } from '../../src/page/search/cli-command.ts';
import { parseState } from '../../src/page/state/search-state.ts';

it('The CLI command of a search in files names them, so that it needs neither a server nor a token', () => {
  const files = ['app.log', "logs/it's.log", '-x.log', 'plain', '-'];
  expect(cliCommand('level=error', { repository: 'files', files, start: '1h', end: 'now' })).toBe(
    String.raw`npx logclient query 'app.log' 'logs/it'\''s.log' './-x.log' './plain' '-' 'level=error' --since 1h`,
  );
});

it('The CLI command of a search has its time as one argument, whatever the link to the page contains', () => {
  const at = (start: string): string =>
    cliCommand('*', { ...parseState(`start=${encodeURIComponent(start)}`), repository: 'shop' });
  expect(at('7 days')).toMatch(/ --since '7 days'$/);
  expect(at('1h;curl$(id)x|sh')).toMatch(/ --since '1h;curl\$\(id\)x\|sh'$/);
});
