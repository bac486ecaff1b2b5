import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_KINDS } from '../../../src/core/secrets/secret-kinds.ts';
import { runCommand } from '../../helpers/cli-run.ts';

const PEM =
  '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIFooBarBazQuxSecretKeyMaterial1234567890\n-----END EC PRIVATE KEY-----';

/** A line per kind: its name in the result, the record, and the secret. */
const PLANTED: readonly (readonly [name: string, record: object | string, secret: string])[] = [
  ['password', { user: 'ada', password: 'hunter2hunter2' }, 'hunter2hunter2'],
  ['dbPassword', { config: { dbPassword: 's3cr3t-db' } }, 's3cr3t-db'],
  ['authorization', { req: { headers: { authorization: 'Bearer abc.def.ghi' } } }, 'abc.def.ghi'],
  ['set-cookie', { res: { headers: { 'set-cookie': ['sid=1f2e3d'] } } }, '1f2e3d'],
  ['client_secret', { body: JSON.stringify({ grant: { client_secret: 'oauth-s3cr3t' } }) }, 'oauth-s3cr3t'],
  ['JWT', { msg: 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl' }, 'eyJzdWIiOiIxMjM0In0'],
  ['card number', { msg: 'paid with 4111 1111 1111 1111' }, '4111 1111'],
  ['card number', { payment: { number: 5500005555555559 } }, '550000555555'],
  ['private key', { err: { message: PEM } }, 'MHcCAQEEIFoo'],
  ['password in a URL', { url: 'postgres://app:pgpass99@db.example/shop' }, 'pgpass99'],
  ['password in a URL', 'connecting to redis://:r3disPass@cache:6379', 'r3disPass'],
  ['AWS access key', { env: 'AKIAIOSFODNN7EXAMPLE' }, 'IOSFODNN7EXAMPLE'],
  ['GitHub token', 'cloning with ghp_0123456789abcdefghijABCDEFGHIJ012345', '0123456789abcdefghij'],
  ['Slack token', { hook: 'xoxb-1234567890-abcdefghij' }, '1234567890-abc'],
  ['Stripe key', { key: ['sk_live_4eC39HqLyjWDarjtT1zdp7dc'] }, '4eC39HqLyjWDarjtT1zdp7dc'],
  ['npm token', { registry: 'npm_abcdefghijklmnopqrstuvwxyz0123456789' }, 'abcdefghijklmnopqrstuvwxyz'],
  ['Google API key', { map: `AIza${'SyA1b2C3d4E5f6G7h8I9j0KlMnOpQrStUvW'}` }, 'SyA1b2C3d4'],
  [
    'SendGrid key',
    { mail: `SG.${'a1B2c3D4e5F6g7H8i9J0k1'}.${'L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g'}` },
    'a1B2c3D4e5',
  ],
  ['e-mail address', { contact: 'ada.lovelace@example.com' }, 'ada.lovelace'],
  ['access_token', 'GET /callback?access_token=0aUthT0ken99&state=1 200', '0aUthT0ken99'],
  ['api-key', "headers: { 'api-key': 'k-9f8e7d6c' }", 'k-9f8e7d6c'],
];

function fileOf(lines: readonly (object | string)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'scan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'app.log');
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return path;
}

it.each(PLANTED)('scan finds a planted secret: %s', async (name, record, secret) => {
  const run = await runCommand(['scan', fileOf([record]), '--json']);
  const rows = JSON.parse(run.stdout);
  expect(run.code).toBe(1);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ name, count: 1 });
  expect(run.stdout + run.stderr).not.toContain(secret);
});

it('scan --ignore accepts each kind that scan shows', async () => {
  const file = fileOf(PLANTED.map(([, record]) => record));
  const rows: { kind: string }[] = JSON.parse((await runCommand(['scan', file, '--json'])).stdout);
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  expect(kinds).toEqual(Object.keys(DEFAULT_KINDS).sort());
  const ignored = await runCommand(['scan', file, ...kinds.flatMap((kind) => ['--ignore', kind])]);
  expect(ignored).toMatchObject({ code: 0, stdout: '' });
});

it('scan finds at most one secret in 10,000 ordinary lines', async () => {
  const lines = Array.from({ length: 2_500 }, (_, n) => {
    const time = 1_700_000_000_000 + n * 17;
    const id = `4bf92f3577b34da6a3ce929d0e0e${String(n).padStart(4, '0')}`;
    const http = { method: 'GET', path: `/cart/${n}`, status: 200, agent: 'Mozilla/5.0 (X11; Linux x86_64)' };
    return [
      { level: 30, time, pid: 4242, hostname: 'web-1', reqId: id, http, msg: `rec-${n} request completed` },
      {
        ...{ level: 'info', time, traceId: id, spanId: id.slice(0, 16), tokens: 512, max_tokens: n },
        ...{ hasPassword: true, secretsManager: 'on', price: 4_111.25, ids: [1e15 + n, `${17e8 + n}000000`] },
        message: `Bearer of bad news, basic auth is off, authorization: denied for user ${n}`,
      },
      `${new Date(time).toISOString()} INFO [main] c.e.Shop: order ${n} placed in ${n % 90} ms; token: expired, GET https://shop.example/cart/${n}?page=2&sort=asc`,
      `10.0.${n % 250}.7 - - [10/Oct/2026:13:55:36 +0000] "GET /items/${n} HTTP/1.1" 200 ${n} "https://example.com:8080/a@2x.png" "Mozilla/5.0" ${id} sha256:${id}${id}`,
    ];
  }).flat();
  const run = await runCommand(['scan', fileOf(lines), '--json']);
  const findings: { count: number }[] = JSON.parse(run.stdout);
  expect(
    findings.reduce((sum, { count }) => sum + count, 0),
    run.stdout,
  ).toBeLessThanOrEqual(1);
});

it('scan counts a field once for all its lines, and shows the options that redact it', async () => {
  const lines = [1, 2, 3].map((n) => ({ users: [{ 'tax-id': `id-${n}` }], mail: `a${n}@example.com` }));
  const file = fileOf(lines);
  const run = await runCommand(['scan', file, '--key', 'taxId', '--json']);
  expect(JSON.parse(run.stdout)).toEqual([
    {
      field: 'mail',
      kind: 'email',
      name: 'e-mail address',
      count: 3,
      sample: '…@example.com',
      file,
      line: 1,
    },
    {
      field: 'users[*].tax-id',
      kind: null,
      name: 'tax-id',
      count: 3,
      sample: '… (4 characters)',
      file,
      line: 1,
    },
  ]);
  expect(run.stderr).toContain('secrets: 2 findings, of 3 records scanned.');
  expect(run.stderr).toContain("redact: { keys: ['tax-id'], patterns: { email: true } }");
  expect(run.stderr).toContain(`to pino: redact: ['mail', 'users[*]["tax-id"]']`);
});

it('scan has a row for each name of a secret in text', async () => {
  const names = ['access_token', 'password', 'client_secret', 'api_key', 'PGPASSWORD', 'password'];
  const lines = names.map((name, n) => `job ${n} started with ${name}=a1b2c3d4${n}`);
  const { stdout } = await runCommand(['scan', fileOf(lines), '--json']);
  const rows: { name: string; count: number; line: number }[] = JSON.parse(stdout);
  expect(Object.fromEntries(rows.map(({ name, count, line }) => [name, [count, line]]))).toEqual({
    ...{ password: [2, 2], access_token: [1, 1], client_secret: [1, 3], api_key: [1, 4], PGPASSWORD: [1, 5] },
  });
});

it('scan names the line of a secret within a record of several lines', async () => {
  const stack =
    '2026-11-28 10:00:00 ERROR failed\n  password=hunter2hunter2\n  at ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const { stdout } = await runCommand(['scan', fileOf(['2026-11-28 10:00:00 INFO start', stack]), '--json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'password', line: 3 },
    { name: 'GitHub token', line: 4 },
  ]);
});

it('scan names the file and the line of the first secret, after blank lines and records of several lines', async () => {
  const lines = Array.from({ length: 9_000 }, (_, n) =>
    n % 7 === 0 ? '' : n % 5 === 0 ? `2026-11-28 10:00:00 INFO ${n}\n    at a stack` : `{"msg":"${n}"}`,
  );
  const file = fileOf([...lines, { password: 'hunter2' }, '', { password: 'hunter3' }]);
  const number = lines.join('\n').split('\n').length + 1;
  const { stdout } = await runCommand(['scan', '/dev/null', file, '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'password', count: 2, file, line: number }]);
  const csv = await runCommand(['scan', fileOf(['time,level,password', '1,info,hunter2']), '--json']);
  expect(JSON.parse(csv.stdout)).toMatchObject([{ kind: 'password', line: null }]);
});

it.each([
  ['{"n":1}\n\n{"password":"hunter2"}\n', 3],
  ['[{"n":1},\n{"password":"hunter2"}]\n', null],
])('scan counts the lines of stdin unless it is structured: %j', async (stdin, line) => {
  const { stdout } = await runCommand(['scan', '-', '--json'], { stdin });
  expect(JSON.parse(stdout)).toMatchObject([{ file: '-', line }]);
});

it('scan names paths that pino accepts and redacts', async () => {
  const record = {
    a: { 'api-key': 'x1', '1password': 'x2', list: [{ password: 'x3' }] },
    'x-api-key': 'x4',
    h: { 'x-y': 'x5@example.com' },
    card: '4111111111111111',
  };
  const { stderr } = await runCommand(['scan', fileOf([record]), '--json']);
  const [, source] = /to pino: redact: (\[.*\])$/m.exec(stderr)!;
  const lines: string[] = [];
  pino({ redact: new Function(`return ${source};`)() }, { write: (line) => void lines.push(line) }).info(
    record,
  );
  expect(lines.join()).toContain('[Redacted]');
  expect(lines.join()).not.toMatch(/x\d|4111/);
});

it('scan shows a sample of a header whose value looks like JSON, but is none', async () => {
  const { stdout } = await runCommand(['scan', fileOf([{ msg: 'a\r\nAuthorization: "a\\x"' }]), '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'authorization', sample: '… (5 characters)' }]);
  const short = await runCommand(['scan', fileOf([{ password: 'x' }]), '--json']);
  expect(JSON.parse(short.stdout)).toMatchObject([{ name: 'password', sample: '… (1 character)' }]);
});

it('scan counts a secret in the value of a secret field once', async () => {
  const record = { authorization: 'Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345' };
  const { stdout } = await runCommand(['scan', fileOf([record]), '--json']);
  expect(JSON.parse(stdout)).toMatchObject([{ field: 'authorization', kind: 'authorization', count: 1 }]);
});

it('scan exits with 0 if there are no secrets, and ignores the given kinds', async () => {
  const run = await runCommand(['scan', fileOf([{ mail: 'ada@example.com' }]), '--ignore', 'email']);
  expect(run.code).toBe(0);
  expect(run.stderr).toBe('logclient: no secrets, of 1 record.\n');
});

it('scan names the kinds if one is unknown, and a file that is missing', async () => {
  const unknown = await runCommand(['scan', 'a.log', '--ignore', 'mail']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('It must be one of authorization, password, jwt');
  expect((await runCommand(['scan', '/nonexistent/a.log'])).code).toBe(2);
});

it('finds secrets in a compressed file, with their line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'logclient-scan-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app.log.gz');
  writeFileSync(file, gzipSync('{"n":1}\n{"password":"hunter2hunter2"}\n'));
  const { code, stdout } = await runCommand(['scan', file, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([{ line: 2 }]);
});
