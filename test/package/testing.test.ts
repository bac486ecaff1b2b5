import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../docs/markdown-blocks.ts';
import { FreshProject, ROOT } from './fresh-project.ts';

const FIXTURES = join(ROOT, 'test/fixtures/log-tests');

/** Jest runs tests that are ES modules only with this flag. */
const ESM = ['--experimental-vm-modules', '--no-warnings'];
const JEST = ['jest@30.5.2', '@types/jest@30.0.0'];

/** An app for the example of docs/testing.md. */
const APP = `
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import pino from 'pino';
const logger = pino(pino.transport({ target: 'logclient/pino' }));
createServer(async (request, response) => {
  if (request.method === 'POST') logger.info(await json(request), 'order placed');
  response.end();
}).listen(3211, '127.0.0.1');`;

/** What every failing suite must print about the missing record. */
const MISSED = `No record matches: name=payments status>=500 (✗ status>=500: status is 200)

The only record:
  TIME info  charged status=200 name=payments order=o-1
    ✗ status>=500: status is 200`;

/** A suite with two failing tests with the same file name, and one that passes. */
function reportSuite(dir: string): string {
  return `
configureLogTests({ htmlReport: '${dir}' });
const logger = pino({ name: 'payments' }, { write() {} });
const test = (name, message, run) => it(name, async () => {
  const logs = await captureLogs(logger);
  logger.info(message);
  await logs.flush();
  try { run(); } finally { await logs.close(); }
});
const fail = () => { throw new Error('unpaid'); };
test('pays: a bill', 'first', fail);
test('pays <a> bill', 'second', fail);
test('passes', 'third', () => {});
`;
}

/** Programs that use the types, with marked misuses. */
const TYPED: Readonly<Record<string, string>> = {
  'with-vitest.mts': `
import { captureLogs, type LogTest } from 'logclient/testing';
import { logTest } from 'logclient/testing/vitest';
import { expect } from 'vitest';
import pino from 'pino';
import winston from 'winston';
interface Expected { level: string; err?: { code: string } }
logTest('typed', async ({ logs }) => {
  const same: LogTest = logs;
  logs.capture(pino());
  logs.capture(winston.createLogger(), { quiet: true });
  await expect(same).toHaveLogged({ level: 'error', err: { code: expect.any(String) } }, { start: '5 minutes' });
  await expect(same).not.toHaveLoggedTimes('level=error', 2);
  await expect(same).toHaveLoggedTimes({ level: 'info' } as Expected, { min: 1, max: 3 });
  await expect(same).not.toHaveDropped();
  await expect(await captureLogs(pino())).toEventuallyHaveLogged('level=error', { timeoutMs: 5 });
  // @ts-expect-error an order is an array
  await expect(same).toHaveLoggedInOrder('level=error');
  // @ts-expect-error the promise was not awaited
  await expect(captureLogs(pino())).toHaveLogged('level=error');
  // @ts-expect-error a text has no logs
  await expect('text').toHaveLogged('level=error');
});`,
  'with-jest.cts': `
import 'logclient/testing/jest';
import { captureLogs } from 'logclient/testing';
import pino = require('pino');
it('typed', async () => {
  const logs = await captureLogs(pino());
  await expect(logs).toHaveLogged({ level: 'error', msg: expect.stringContaining('x') });
  await expect(logs).not.toHaveLoggedTimes('level=error', 2);
  // @ts-expect-error times are a number
  await expect(logs).toHaveLoggedTimes('level=error', '2');
  // @ts-expect-error a text has no logs
  await expect('text').toHaveLogged('level=error');
});`,
  'with-jest-globals.cts': `
import 'logclient/testing/jest';
import { expect, it } from '@jest/globals';
import { startLogTest } from 'logclient/testing';
it('typed', async () => {
  const logs = await startLogTest();
  await expect(logs).toHaveLogged({ level: 'error', msg: expect.stringContaining('x') });
  await expect(logs).not.toHaveLoggedInOrder(['level=error', { level: 'info' }]);
  // @ts-expect-error an order is an array
  await expect(logs).toHaveLoggedInOrder('level=error');
});`,
};

describe('logclient/testing in a fresh project', { timeout: 120_000 }, () => {
  let project: FreshProject;
  let older: FreshProject;
  let page: string[];

  beforeAll(async () => {
    const runners = ['vitest', '@playwright/test@1.65.1', ...JEST];
    project = await FreshProject.create(['pino', 'winston', '@types/node', ...runners]);
    older = await FreshProject.create(['pino', 'winston', 'vitest@3.2.7']);
    for (const { path } of [project, older]) await cp(FIXTURES, path, { recursive: true });
    page = blocksOf(await readFile(join(ROOT, 'docs/testing.md'), 'utf8')).map(({ text }) => text);
  }, 180_000);

  afterAll(() => Promise.all([project.remove(), older.remove()]));

  const runIn = async (folder: FreshProject, ...args: string[]) => {
    const { code, stdout, stderr } = await folder.node(...args);
    return { code, output: `${stdout}\n${stderr}`.replace(/\b\d\d:\d\d:\d\d\.\d{3}\b/g, 'TIME') };
  };
  const vitest = (file: string) => runIn(project, 'node_modules/vitest/vitest.mjs', 'run', file);
  const vitest3 = (file: string) => runIn(older, 'node_modules/vitest/vitest.mjs', 'run', file);
  const jest = (file: string) =>
    runIn(project, ...ESM, 'node_modules/jest/bin/jest.js', '--ci', '--detectOpenHandles', file);
  const nodeTest = (file: string) => runIn(project, '--test', '--test-reporter=tap', file);

  const reportedMessages = async (file: string) => {
    const html = await readFile(join(project.path, file), 'utf8');
    const [, data] = /id="logclient-report">(.*?)<\/script>/.exec(html)!;
    return JSON.parse(data!).records.map(({ msg }: { msg: string }) => msg);
  };

  it.concurrent('passes with Jest from CommonJS and from ESM, and leaves no open handles', async () => {
    const { code, output } = await jest('jest-passes');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('Tests:       4 passed, 4 total'),
    });
    expect(output).not.toMatch(/open handle|did not exit|Logs of the failed test/);
  });

  it.concurrent('shows the line of each failed matcher and the logs of the failed test in Jest', async () => {
    const { code, output } = await jest('jest-fails.cjs');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('Tests:       5 failed, 5 total'),
    });
    const plain = withoutIndent(output);
    for (const line of await failingLines('jest-fails.cjs'))
      expect(output).toContain(`(jest-fails.cjs:${line}:`);
    expect(plain).toContain(withoutIndent(MISSED));
    expect(plain).toContain('1 | status=(\n|        ^\n');
    expect(plain).toContain('Still running when the test ended: `toHaveLogged()`. Add `await`');
    expect(plain).toContain('✗ message=StringContaining "refunded": msg is charged\n');
    expect(plain).toContain('✗ cart=ObjectContaining {"items":"Any<Array>"}: no field "cart"\n');
    expect(output).toContain(
      'Logs of the failed test "misses a record":\n  TIME info  charged status=200 name=payments order=o-1\n',
    );
    expect(output).not.toMatch(/open handle|did not exit/);
  });

  it.concurrent('runs the Jest suite of docs/testing.md', async () => {
    await project.write('jest-page.cjs', page.find((text) => text.includes('beforeEach('))!);
    const { code, output } = await jest('jest-page.cjs');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 passed, 1 total') });
  });

  it.concurrent('runs the Playwright suite of docs/testing.md, whose fixture attaches an HTML report to a failure', async () => {
    for (const text of page) {
      const [, file] = /^\/\/ ((?:playwright|orders|fixtures)\.\S+)\n/.exec(text) ?? [];
      if (file !== undefined) await project.write(file, text);
      if (file === 'orders.spec.js') await project.write('wrong.spec.js', text.replace("'info'", "'error'"));
    }
    await project.write('app.mjs', APP);
    const playwright = 'node_modules/@playwright/test/cli.js';
    const { code, output } = await runIn(project, playwright, 'test', '--reporter', 'json');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/"expected": 1,[^}]*"unexpected": 1/s),
    });
    expect(output).toMatch(/"name": "logs",\s+"contentType": "text\/html",\s+"path": "/);
    expect(await reportedMessages('log-reports/logs-an-order.html')).toContain('order placed');
  });

  it.concurrent.each([
    ['vitest', 'vitest-reports.mjs', "import { it } from 'vitest';"],
    ['Jest', 'jest-reports.cjs', ''],
  ])('writes and links an HTML report for each failed test in %s', async (runner, file, imports) => {
    const dir = `${runner}-log-reports`;
    const load = file.endsWith('.cjs')
      ? `const { captureLogs, configureLogTests } = require('logclient/testing');\nconst pino = require('pino');`
      : `import { captureLogs, configureLogTests } from 'logclient/testing';\nimport pino from 'pino';`;
    await project.write(file, `${imports}\n${load}\n${reportSuite(dir)}`);
    const { code, output } = await (runner === 'vitest' ? vitest(file) : jest(file));
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/2 failed.*1 passed/) });
    const files = ['pays-a-bill-2.html', 'pays-a-bill.html'];
    expect((await readdir(join(project.path, dir))).sort()).toEqual(files);
    for (const name of files)
      expect(output).toMatch(new RegExp(`^Search these logs: file://\\S+/${dir}/${name}$`, 'm'));
    const messages = await Promise.all(files.map((name) => reportedMessages(`${dir}/${name}`)));
    expect(messages.toSorted()).toEqual([['first'], ['second']]);
  });

  it.concurrent('passes with vitest without printing logs', async () => {
    const { code, output } = await vitest('vitest-passes.mjs');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests {2}3 passed \(3\)/) });
    expect(output).not.toMatch(/stderr|stdout|Logs of the failed test/);
  });

  it.concurrent.each([3, 4])(
    'shows the line of each failed matcher in vitest %i, and only the logs of the failed test',
    async (version) => {
      const { code, output } =
        version === 3 ? await vitest3('vitest-fails.mjs') : await vitest('vitest-fails.mjs');
      expect({ code, output }).toEqual({
        code: 1,
        output: expect.stringMatching(/Tests {2}7 failed \| 2 passed \(9\)/),
      });
      for (const line of await failingLines('vitest-fails.mjs')) {
        expect(output).toContain(` ❯ vitest-fails.mjs:${line}:`);
      }
      expect(output).not.toContain('❯ node_modules');
      expect(output).toMatch(/^ {5}16\| {3}await expect\(logs\)\.toHaveLogged\(.*\n {7}\| {3}\^$/m);
      expect(output).toContain(`expect(logs).toHaveLogged(expected): ${MISSED}`);
      expect(output).toContain('1 | status=(\n  |        ^\n');
      expect(output).toContain('Still running when the test ended: `toHaveLogged()`. Add `await`');
      expect(output).toContain(
        'Logs of the failed test "misses a record":\n  TIME info  charged status=200 name=payments order=o-1\n',
      );
      expect(output).toContain(
        'Logs of the failed test "sees a":\n  TIME info  concurrent name=payments from=a\n\n',
      );
    },
  );

  it.concurrent('passes with node:test, and shows the line of each failed assertion', async () => {
    const [passing, failing] = await Promise.all([nodeTest('node-passes.mjs'), nodeTest('node-fails.mjs')]);
    expect(passing).toEqual({ code: 0, output: expect.stringContaining('# pass 3\n# fail 0') });
    expect(failing).toEqual({ code: 1, output: expect.stringContaining('# pass 0\n# fail 4') });
    for (const line of await failingLines('node-fails.mjs')) {
      expect(failing.output).toMatch(
        new RegExp(`stack: \\|-\n +TestContext\\.<anonymous> \\(file:.*/node-fails\\.mjs:${line}:`),
      );
    }
    expect(withoutIndent(failing.output)).toContain(withoutIndent(MISSED));
    expect(failing.output).toContain("code: 'ERR_ASSERTION'");
  });

  it.concurrent('has types for vitest, the Jest globals and @jest/globals', async () => {
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true };
    const tsconfig = {
      compilerOptions: { ...options, types: ['node', 'jest'] },
      include: Object.keys(TYPED),
    };
    await project.write('tsconfig.json', JSON.stringify(tsconfig));
    for (const [file, text] of Object.entries(TYPED)) await project.write(file, text);
    expect(await runIn(project, join(ROOT, 'node_modules/typescript/bin/tsc'))).toEqual({
      code: 0,
      output: '\n',
    });
  });
});

/** The lines of a suite that a report must point to. */
async function failingLines(file: string): Promise<number[]> {
  const lines = (await readFile(join(FIXTURES, file), 'utf8')).split('\n');
  const failing = lines.flatMap((line, index) => (line.endsWith('// fails') ? [index + 1] : []));
  expect(failing.length).toBeGreaterThan(3);
  return failing;
}

/** Removes the indentation that runners add. */
function withoutIndent(text: string): string {
  return text.replace(/^ +/gm, '');
}
