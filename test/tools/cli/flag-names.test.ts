import { expect, it } from 'vitest';
import { requestLog } from '../../../src/tools/cli/serve/request-log.ts';
import { withFlagNames } from '../../../src/tools/output/flag-names.ts';

it.each([
  ['Check that baseUrl is correct.', 'Check that the address (--url or LOGSCALE_URL) is correct.'],
  ['Raise "maxEvents", "maxBytes" or the retention.', 'Raise --max-events, --max-bytes or the retention.'],
  ['no response within 5 ms (requestTimeoutMs)', 'no response within 5 ms (--timeout)'],
  ['the repository has no maximum', 'the repository has no maximum'],
])('the command line says flags instead of options: %s', (message, shown) => {
  expect(withFlagNames(message)).toBe(shown);
});

it('logclient serve advises flags, and shows what it received unchanged', () => {
  const lines: string[] = [];
  const { onRejection } = requestLog(
    'info',
    () => undefined,
    (text) => lines.push(text),
  );
  const request = {
    method: 'POST',
    path: '/maxBytes',
    client: '127.0.0.1',
    token: 'none',
    time: 0,
    count: 1,
  };
  const [reason, fix] = ['maxEvents.', 'Raise "maxEvents".'];
  onRejection({ ...request, status: 200, reason, fix, excerpt: 'baseUrl' } as never);
  expect(lines.join()).toContain(
    '/maxBytes 200 from 127.0.0.1 (none): maxEvents. Raise --max-events. The record: baseUrl',
  );
});
