import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { privateKey } from '../../helpers/private-key.ts';

const KEY = privateKey();
const LINES = KEY.split('\n');
const each = (prefix: string): string => LINES.map((line) => `${prefix}${line}`).join('\n');
const docker = (line: string): string =>
  JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-30T10:00:00.1Z' });

const FORMATS: Readonly<Record<string, string>> = {
  'without other lines': KEY,
  'with CRLF': `${KEY.replaceAll('\n', '\r\n')}\r\n`,
  'below JSON of pino': `{"level":30,"time":1764496800000,"msg":"a"}\n${KEY}\n{"level":30,"msg":"b"}`,
  'below logfmt': `time=2026-11-30T10:00:00Z level=info msg=a\n${KEY}\ntime=2026-11-30T10:00:01Z msg=b`,
  'below nginx': `10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 7\n${KEY}`,
  'below a text with a time': `2026-11-30 10:00:00 INFO key:\n${KEY}`,
  'in a text with a time': `2026-11-30 10:00:00 INFO ${KEY}`,
  'with a time in each line': each('2026-11-30 10:00:00,123 INFO [main] '),
  'in syslog': each('Nov 30 10:00:00 web-1 app[12]: '),
  'in RFC 5424': each('<14>1 2026-11-30T10:00:00.123Z web-1 app 12 - - '),
  'in docker logs -t': each('2026-11-30T10:00:00.123456789Z '),
  'in CRI': each('2026-11-30T10:00:00.123456789Z stdout F '),
  'in compose': each('web-1  | '),
  'in json-file of Docker': LINES.map(docker).join('\n'),
  'without an end': LINES.slice(0, 9).join('\n'),
  'cut within a line': KEY.slice(0, 190),
};

it.each(Object.entries(FORMATS))(
  '--redact ships nothing of a private key, and scan shows all of it: %s',
  async (_, text) => {
    const server = await startLocalServer();
    const folder = mkdtempSync(join(tmpdir(), 'private-key-'));
    onTestFinished(() => server.close());
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'app.log');
    writeFileSync(file, text);
    expect(await runCommand(['ingest', file, '--redact'], { env: accessTo(server) })).toMatchObject({
      code: 0,
    });
    const { url: baseUrl, repository, userToken } = server;
    const shipped = JSON.stringify(
      await new LogClient({ baseUrl, repository, userToken }).query('*', { start: 0 }),
    );
    expect(shipped).toContain('[redacted]');
    expect(LINES.slice(1, -1).filter((line) => shipped.includes(line.slice(0, 16)))).toEqual([]);
    const rows = JSON.parse((await runCommand(['scan', file, '--json'])).stdout);
    expect(rows).toMatchObject([{ name: 'private key', count: 1 }]);
    expect(Number(/[\d,]+/.exec(rows[0].sample)![0].replace(',', ''))).toBeGreaterThan(
      text.length < KEY.length ? 100 : 1600,
    );
  },
);
