import { expect, it } from 'vitest';
import { cliCommand } from '../../src/page/search/cli-command.ts';

it('The CLI command of a search in files names them, so that it needs neither a server nor a token', () => {
  const files = ['app.log', "logs/it's.log", '-x.log', 'plain', '-'];
  expect(cliCommand('level=error', { repository: 'files', files, start: '1h', end: 'now' })).toBe(
    String.raw`npx logclient query 'app.log' 'logs/it'\''s.log' './-x.log' './plain' '-' 'level=error' --since 1h`,
  );
});
