// cspell:words unstub
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writePatterns } from '../../src/testing/assertions/pattern-file.ts';
import {
  assertNoNewPatterns,
  assertNoSecrets,
  configureLogTests,
  type LogTestOptions,
  startLogTest,
  writeHtmlReport,
} from '../../src/testing/index.ts';
import { logMatchers, type MatcherContext } from '../../src/testing/matchers.ts';
import { beginTest, describeTestLogs } from '../../src/testing/report/test-logs.ts';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

async function openLogs(options: LogTestOptions = {}) {
  const logs = await startLogTest(options);
  onTestFinished(() => logs.close());
  const logger = pino({ level: 'debug' }, pino.destination({ dest: '/dev/null', sync: true }));
  logs.capture(logger);
  return { logs, logger };
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('toHaveNoSecrets passes for records without secrets', async () => {
  const { logs, logger } = await openLogs();
  logger.info({ user: { id: 7 }, hasPassword: true }, 'user logged in');
  expect((await logMatchers.toHaveNoSecrets.call({}, logs)).pass).toBe(true);
  await assertNoSecrets(logs);
});

it('toHaveNoSecrets reads the records of a capture as the code logs them, also if LOGSCALE_REDACT is set', async () => {
  vi.stubEnv('LOGSCALE_REDACT', 'true');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { logs, logger } = await openLogs();
  logger.info({ password: 'hunter2' });
  await expect(assertNoSecrets(logs)).rejects.toThrow('password in password');
});

it.each([
  [['ssn', '--'], '"keys" are names of fields at any depth, not paths (got "--").'],
  [['user.pin'], '"keys" are names of fields at any depth, not paths (got "user.pin").'],
  [['users[*]'], '"keys" are names of fields at any depth, not paths (got "users[*]").'],
  [['*Pin'], '"keys" are names of fields at any depth, not paths (got "*Pin").'],
  [['ssn', 7 as never], '"keys[1]" must be a non-empty string (got 7)'],
  ['last4' as never, '"keys" must be an array'],
])('assertNoSecrets refuses %j as names of fields', async (keys, problem) => {
  const { logs } = await openLogs();
  await expect(assertNoSecrets(logs, { keys })).rejects.toThrow(`assertNoSecrets: ${problem}`);
});

it('toHaveNoSecrets names the field, the kind, a masked sample, and the option that helps', async () => {
  const { logs, logger } = await openLogs();
  logger.info({ req: { headers: { authorization: 'Bearer abcdefgh' } }, ssn: '123-45-6789' }, 'GET /');
  const { pass, message } = await logMatchers.toHaveNoSecrets.call({}, logs, { keys: ['ssn'] });
  expect(pass).toBe(false);
  expect(message()).toContain('authorization in req.headers.authorization, 1 ×, … (15 characters)\n');
  expect(message()).toContain("redact: { keys: ['ssn'] }");
  expect(message()).toContain("to pino: redact: ['req.headers.authorization', 'ssn']");
  expect(message()).not.toMatch(/abcdefgh|6789/);
});

it('toHaveNoSecrets advises for pino all paths but those of messages, and names those', async () => {
  const { logs, logger } = await openLogs();
  logger.info({ cause: 'token=abcdefgh12', password: 'hunter2' }, 'login with password=hunter2');
  await expect(assertNoSecrets(logs)).rejects.toThrow(
    "redact: true. For a pino logger without the transport, to pino: redact: ['cause', 'password']. That leaves those in msg.",
  );
});

it('toHaveNoSecrets advises for pino the string whose JSON has a secret', async () => {
  const { logs, logger } = await openLogs();
  const json = JSON.stringify({ password: 'hunter2' });
  logger.info(
    { body: JSON.stringify({ user: { token: 'abcdefgh12' }, inner: json }), req: { body: json } },
    json,
  );
  await expect(assertNoSecrets(logs)).rejects.toThrow(
    /in msg\.password, (?:.*\n)+.*redact: \['body', 'req\.body'\]\. That leaves those in msg\.$/,
  );
});

it.each<[string, object, string[]?]>([
  ['password', { password: { value: 'hunter22' } }],
  ['token', { user: { token: { access: 'hunter22' } } }],
  ['privateKey', { keys: [{ privateKey: { kty: 'EC', d: 'hunter22' } }] }],
  ['credentials', { credentials: { db: { key: 'hunter22' } } }],
  ['ssn', { ssn: { value: 'hunter22' } }, ['ssn']],
])(
  'toHaveNoSecrets finds %s whose value is an object, and the report masks it',
  async (name, fields, keys) => {
    const { logs, logger } = await openLogs();
    await beginTest({ name });
    logger.info(fields, 'logged in');
    await expect(assertNoSecrets(logs, { keys })).rejects.toThrow(`found: (${name} in `);
    expect(await describeTestLogs({ id: name, name })).toMatch(/logged in .*=\[redacted\]$/);
  },
);

it('toHaveNoSecrets accepts an object that only refers to a secret', async () => {
  const { logs, logger } = await openLogs();
  logger.info({ secret: { secretName: 'db', optional: true }, password: {} });
  await assertNoSecrets(logs);
});

it('a failure shows no secrets of records and expectations if the test has redact, at any offset', async () => {
  const { logs, logger } = await openLogs({ redact: { keys: ['ssn'] } });
  const texts = Array.from({ length: 90 }, (_, length) => `${'x'.repeat(length)} ${TOKEN} failed`);
  for (const text of texts) logger.info({ ssn: '123-45-6789', text }, text);
  const shown = [];
  for (const text of texts.filter((_, length) => length % 6 === 0)) {
    const fields = { msg: text, ssn: '987-65-4321', text: `${text}!` };
    const results = [
      await logMatchers.toHaveLogged.call({}, logs, fields),
      await logMatchers.toHaveLogged.call({}, logs, JSON.stringify(text)),
      await logMatchers.toHaveLoggedInOrder.call({}, logs, [fields]),
      await logMatchers.toHaveLoggedTimes.call({ isNot: true }, logs, '*', 90),
    ];
    shown.push(...results.map(({ message }) => message()));
  }
  expect(shown.join()).toContain('[redacted]');
  expect(shown.join()).not.toMatch(/ghp|4321|6789|89abc|IJ01/);
});

it('a failure, its records and its HTML report mask secrets without redact, also those that toHaveNoSecrets has keys for', async () => {
  const { logs, logger } = await openLogs();
  await beginTest({ name: 'logs in' });
  logger.info({ ssn: '123-45-6789', body: '{"password":"hunter1"}' }, 'login with password=hunter2');
  await expect(assertNoSecrets(logs, { keys: ['ssn'] })).rejects.toThrow('ssn in ssn, 1 ×');
  const { message } = await logMatchers.toHaveLogged.call({}, logs, { token: 'hunter3' });
  const folder = openFolder();
  configureLogTests({ htmlReport: folder });
  onTestFinished(() => configureLogTests({}));
  const errors = [new Error('no session for password=hunter4')];
  const printed = await describeTestLogs({ id: '1', name: 'logs in', errors });
  const report = readFileSync(join(folder, 'logs-in.html'), 'utf8');
  expect(printed).toContain('login with password=[redacted] ssn=[redacted]');
  expect(/no session for password=.{10}/.exec(report)?.[0]).toBe('no session for password=[redacted]');
  expect(`${message()}${printed}${report}`.match(/hunter\d|45-6789/)).toBeNull();
});

it('writeHtmlReport() masks secrets in the records of any client', () => {
  const records = [{ '@timestamp': 1, msg: 'hello', headers: 'Authorization: Bearer hunter1hunter2' }];
  const path = writeHtmlReport({ dir: openFolder(), name: 'logs in', records });
  expect(readFileSync(path, 'utf8').match(/.{20}hunter/)).toBeNull();
});

it('toHaveNoNewPatterns writes and shows no secrets', async () => {
  const folder = openFolder();
  const mode = (each: string): MatcherContext => ({
    testPath: join(folder, 'a.test.ts'),
    snapshotState: { _updateSnapshot: each },
  });
  const { logs, logger } = await openLogs();
  logger.info('started');
  await logMatchers.toHaveNoNewPatterns.call(mode('new'), logs, 'logs.json');
  for (let length = 0; length < 310; length += 5) logger.info(`${'x'.repeat(length)} ${TOKEN} failed`);
  const { message } = await logMatchers.toHaveNoNewPatterns.call(mode('new'), logs, 'logs.json');
  expect(message()).toContain('[redacted] failed');
  expect(message()).not.toContain('ghp');
  await logMatchers.toHaveNoNewPatterns.call(mode('all'), logs, 'logs.json');
  expect(readFileSync(join(folder, 'logs.json'), 'utf8')).not.toContain('ghp');
});

it('toHaveNoNewPatterns writes a missing baseline, then accepts the same messages with other values', async () => {
  const file = join(openFolder(), 'logs.json');
  const first = await openLogs();
  first.logger.info('order 1 placed');
  const create: MatcherContext = { snapshotState: { _updateSnapshot: 'new' } };
  expect((await logMatchers.toHaveNoNewPatterns.call(create, first.logs, file)).pass).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ patterns: { ' > ': ['order … placed'] } });
  const second = await openLogs();
  second.logger.info('order 23 placed');
  const none: MatcherContext = { snapshotState: { _updateSnapshot: 'none' } };
  expect((await logMatchers.toHaveNoNewPatterns.call(none, second.logs, file)).pass).toBe(true);
});

it.each<[string, object, object]>([
  ['other fields', { kind: 'a' }, { type: 'a' }],
  ['other words', { evt: { kind: 'OK' } }, { evt: { kind: 'DB_DOWN' } }],
])('toHaveNoNewPatterns compares records without a message: %s', async (_, known, other) => {
  const file = join(openFolder(), 'logs.json');
  const { logs, logger } = await openLogs();
  logger.info({ ...known, n: 1 });
  await logMatchers.toHaveNoNewPatterns.call({ snapshotState: { _updateSnapshot: 'new' } }, logs, file);
  const look = () =>
    logMatchers.toHaveNoNewPatterns.call({ snapshotState: { _updateSnapshot: 'none' } }, logs, file);
  logger.warn({ ...known, n: 23 });
  expect((await look()).pass).toBe(true);
  logger.info({ ...other, n: 1 });
  expect((await look()).pass).toBe(false);
});

it('toHaveNoNewPatterns shows new patterns, and adds them to the baseline with -u', async () => {
  const folder = openFolder();
  const context = (mode: string): MatcherContext => ({
    testPath: join(folder, 'a.test.ts'),
    snapshotState: { _updateSnapshot: mode },
  });
  const { logs, logger } = await openLogs();
  logger.info('order 1 placed');
  await logMatchers.toHaveNoNewPatterns.call(context('new'), logs, 'logs.json');
  logger.error('payment 7 failed');
  const failed = await logMatchers.toHaveNoNewPatterns.call(context('new'), logs, 'logs.json');
  expect(failed.pass).toBe(false);
  expect(failed.message()).toContain('  payment … failed\n');
  await logMatchers.toHaveNoNewPatterns.call(context('all'), logs, 'logs.json');
  expect((await logMatchers.toHaveNoNewPatterns.call(context('none'), logs, 'logs.json')).pass).toBe(true);
});

describe('A baseline file of several tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'logs.json');
  const context = (currentTestName: string, mode: string, testFile = 'a.test.ts'): MatcherContext => ({
    testPath: join(folder, testFile),
    currentTestName,
    snapshotState: { _updateSnapshot: mode },
  });
  const patterns = (): object => JSON.parse(readFileSync(file, 'utf8')).patterns;

  /** Whether the check of a test that logs this message passes. */
  async function passes(message: string, own: MatcherContext): Promise<boolean> {
    const { logs, logger } = await openLogs();
    logger.info(message);
    return (await logMatchers.toHaveNoNewPatterns.call(own, logs, 'logs.json')).pass;
  }

  it('has the patterns of each test, of which -u replaces only those of the running test', async () => {
    expect(await passes('order 1 placed', context('places', 'new'))).toBe(true);
    expect(await passes('order 1 paid', context('pays', 'new'))).toBe(true);
    expect(await passes('order 2 shipped', context('ships', 'all', 'b.test.ts'))).toBe(true);
    expect(patterns()).toEqual({
      'a.test.ts > places': ['order … placed'],
      'a.test.ts > pays': ['order … paid'],
      'b.test.ts > ships': ['order … shipped'],
    });
    for (const message of ['order 1 placed', 'order 2 paid', 'order 3 shipped']) {
      expect(await passes(message, context('pays', 'none')), message).toBe(true);
    }
    expect(await passes('order 4 lost', context('pays', 'none'))).toBe(false);
  });

  it('is written by many tests at the same time, also if a killed process has left its lock', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `c.test.ts > ${index}`);
    writeFileSync(`${file}.lock`, '');
    await Promise.all(names.map((name) => writePatterns(file, name, [name])));
    expect(patterns()).toMatchObject(Object.fromEntries(names.map((name) => [name, [name]])));
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('is checked and updated without matchers, too', async () => {
    const test = { name: 'ships', filePath: join(folder, 'd.test.mjs') };
    const { logs, logger } = await openLogs();
    logger.info('parcel 1 sent');
    vi.stubEnv('CI', '');
    await assertNoNewPatterns(logs, 'other.json', test);
    logger.info('parcel 2 lost');
    await expect(assertNoNewPatterns(logs, 'other.json', undefined as never)).rejects.toThrow(
      'assertNoNewPatterns: the third argument must be the context of the test, such as t (got undefined).',
    );
    await expect(assertNoNewPatterns(logs, 'other.json', test)).rejects.toThrow(
      /parcel … lost\n\nTo add them .* with UPDATE_SNAPSHOTS=true \(from Node/s,
    );
    vi.stubEnv('UPDATE_SNAPSHOTS', 'true');
    await assertNoNewPatterns(logs, 'other.json', test);
    vi.unstubAllEnvs();
    await assertNoNewPatterns(logs, 'other.json', test);
  });
});

it('toHaveNoNewPatterns fails in CI if the baseline is missing, and writes no file', async () => {
  vi.stubEnv('CI', 'true');
  const file = join(openFolder(), 'logs.json');
  const { logs, logger } = await openLogs();
  logger.info('parcel 1 sent');
  await expect(logMatchers.toHaveNoNewPatterns.call({}, logs, file)).rejects.toThrow(
    /is missing, and the runner writes no new/,
  );
  expect(existsSync(file)).toBe(false);
  vi.unstubAllEnvs();
});
