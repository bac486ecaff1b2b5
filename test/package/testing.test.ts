import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../docs/markdown-blocks.ts';
import { FreshProject, ROOT } from './fresh-project.ts';

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

/** What every failing suite has to say about the record that it misses. */
const MISSED = `No record matches:
  name=payments status>=500

The only record:
  TIME info  charged name=payments order=o-1 status=200
    ✗ status>=500: status is 200`;

/** Programs that use the types, and misuse them where it says so. */
const TYPED: Readonly<Record<string, string>> = {
  'with-vitest.mts': `
import { captureLogs, type LogTest } from 'logclient/testing';
import { logTest } from 'logclient/testing/vitest';
import { expect } from 'vitest';
import pino from 'pino';
import winston from 'winston';
logTest('typed', async ({ logs }) => {
  const same: LogTest = logs;
  logs.capture(pino());
  logs.capture(winston.createLogger(), { quiet: true });
  await expect(same).toHaveLogged({ level: 'error', err: { code: expect.any(String) } }, { start: '5 minutes' });
  await expect(same).not.toHaveLoggedTimes('level=error', 2);
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
  let page: string[];

  beforeAll(async () => {
    const runners = ['vitest', '@playwright/test@1.65.1', ...JEST];
    project = await FreshProject.create(['pino', 'winston', '@types/node', ...runners]);
    await cp(join(ROOT, 'test/fixtures/log-tests'), project.path, { recursive: true });
    page = blocksOf(await readFile(join(ROOT, 'docs/testing.md'), 'utf8')).map(({ text }) => text);
  }, 180_000);

  afterAll(() => project.remove());

  const runIn = async (...args: string[]) => {
    const { code, stdout, stderr } = await project.node(...args);
    return { code, output: `${stdout}\n${stderr}`.replace(/\b\d\d:\d\d:\d\d\.\d{3}\b/g, 'TIME') };
  };
  const vitest = (file: string) => runIn('node_modules/vitest/vitest.mjs', 'run', file);
  const jest = (file: string) => runIn('node_modules/jest/bin/jest.js', '--ci', '--detectOpenHandles', file);
  const nodeTest = (file: string) => runIn('--test', '--test-reporter=tap', file);

  it.concurrent('passes with Jest, from CommonJS, and leaves nothing open', async () => {
    const { code, output } = await jest('jest-passes.cjs');
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('Tests:       3 passed, 3 total'),
    });
    expect(output).not.toMatch(/open handle|did not exit|Logs of the failed test/);
  });

  it.concurrent('fails with Jest with messages for people, and prints the logs of the failed tests', async () => {
    const { code, output } = await jest('jest-fails.cjs');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('Tests:       4 failed, 4 total'),
    });
    expect(withoutIndent(output)).toContain(withoutIndent(MISSED));
    expect(output).toMatch(/The query can't be run\. Expected a value after "=", found "\("/);
    expect(withoutIndent(output)).toContain('1 | status=(\n|        ^\n');
    expect(withoutIndent(output)).toMatch(
      /(LogException|Error): `toHaveLogged\(\)` returns a promise: add `await`\./,
    );
    expect(withoutIndent(output)).toContain(
      `${withoutIndent(MISSED)}\n\n\`toHaveLogged()\` returns a promise: add \`await\`.`,
    );
    expect(output).not.toMatch(/unhandled/i);
    expect(output).toContain(
      'Logs of the failed test "misses a record":\n  TIME info  charged name=payments order=o-1 status=200\n',
    );
    expect(output).not.toMatch(/open handle|did not exit/);
  });

  it.concurrent('passes with the Jest suite of docs/testing.md', async () => {
    await project.write('jest-page.cjs', page.find((text) => text.includes('beforeEach('))!);
    const { code, output } = await jest('jest-page.cjs');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 passed, 1 total') });
  });

  it.concurrent('passes with the Playwright suite of docs/testing.md', async () => {
    for (const text of page) {
      const [, file] = /^\/\/ ((?:playwright|orders)\.\S+)\n/.exec(text) ?? [];
      if (file !== undefined) await project.write(file, text);
    }
    await project.write('app.mjs', APP);
    const { code, output } = await runIn('node_modules/@playwright/test/cli.js', 'test', 'orders.spec.js');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 passed') });
  });

  it.concurrent('passes with vitest', async () => {
    const { code, output } = await vitest('vitest-passes.mjs');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests {2}3 passed \(3\)/) });
    expect(output).not.toMatch(/stderr|stdout|Logs of the failed test/);
  });

  it.concurrent('fails with vitest with messages for people, and prints the logs of the failed tests', async () => {
    const { code, output } = await vitest('vitest-fails.mjs');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/Tests {2}4 failed \(4\)/) });
    expect(output).toContain(`expect(logs).toHaveLogged(expected)\n\n${MISSED}`);
    expect(output).toMatch(/The query can't be run\. Expected a value after "=", found "\("/);
    expect(output).toContain('1 | status=(\n  |        ^\n');
    expect(withoutIndent(output)).toMatch(
      /(LogException|Error): `toHaveLogged\(\)` returns a promise: add `await`\./,
    );
    expect(withoutIndent(output)).toContain(
      `${withoutIndent(MISSED)}\n\n\`toHaveLogged()\` returns a promise: add \`await\`.`,
    );
    expect(output).not.toMatch(/unhandled/i);
    expect(output).toContain(
      'Logs of the failed test "misses a record":\n  TIME info  charged name=payments order=o-1 status=200\n',
    );
  });

  it.concurrent('passes and fails with node:test and plain assertions', async () => {
    const [passing, failing] = await Promise.all([nodeTest('node-passes.mjs'), nodeTest('node-fails.mjs')]);
    expect(passing).toEqual({ code: 0, output: expect.stringContaining('# pass 3\n# fail 0') });
    expect(failing.code).toBe(1);
    expect(withoutIndent(failing.output)).toContain(withoutIndent(MISSED));
    expect(failing.output).toContain("code: 'ERR_ASSERTION'");
  });

  it.concurrent('has types for vitest, for the globals of Jest and for @jest/globals', async () => {
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true };
    const tsconfig = {
      compilerOptions: { ...options, types: ['node', 'jest'] },
      include: Object.keys(TYPED),
    };
    await project.write('tsconfig.json', JSON.stringify(tsconfig));
    for (const [file, text] of Object.entries(TYPED)) await project.write(file, text);
    expect(await runIn(join(ROOT, 'node_modules/typescript/bin/tsc'))).toEqual({ code: 0, output: '\n' });
  });
});

/** Runners indent what they show. */
function withoutIndent(text: string): string {
  return text.replace(/^ +/gm, '');
}
