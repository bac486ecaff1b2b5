import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDelivery } from '../helpers/delivery.ts';
import { lawCases } from '../helpers/laws.ts';
import { runNode } from '../helpers/run-node.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const TRANSFORM = { target: resolve(FIXTURES, 'pino-transform.mjs') };
const FILE = { target: 'pino/file', options: { destination: devNull } };

interface Target {
  readonly target: string;
  readonly options: object;
}

const ARRANGEMENTS: readonly [string, (own: Target) => object, object?][] = [
  ['as the only target', (own) => own],
  ['with the custom levels of the logger (expectPinoConfig)', (own) => own, { audit: 35 }],
  ['as one of two targets', (own) => ({ targets: [own, FILE] })],
  ['as a target with a level', (own) => ({ targets: [{ ...own, level: 'error' }, FILE] })],
  ['at the end of a pipeline', (own) => ({ pipeline: [TRANSFORM, own] })],
  ['in a pipeline of one target', (own) => ({ targets: [{ pipeline: [TRANSFORM, own] }, FILE] })],
];

/** Runs a program that logs with a transport and closes it. */
async function log(arrangement: object, customLevels: object): Promise<void> {
  const ARRANGEMENT = JSON.stringify({ arrangement, customLevels });
  const { code, stdout, stderr } = await runNode('test/fixtures/pino-arranged.mjs', { ARRANGEMENT });
  expect([code, stdout, stderr]).toEqual([0, 'closed', '']);
}

describe('pino.transport with logclient/pino delivers what a transport of pino-abstract-transport receives', () => {
  it.each(lawCases(ARRANGEMENTS, 3))('%s, and emits close', async (_, arrange, customLevels = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'logclient-pino-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'records.ndjson');
    await log(arrange({ target: resolve(FIXTURES, 'pino-reference.mjs'), options: { file } }), customLevels);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(25);

    const { sink, options } = await startDelivery();
    const { baseUrl, ingestToken } = options;
    await log(arrange({ target: 'logclient/pino', options: { baseUrl, ingestToken } }), customLevels);
    const delivered = sink.events.map(({ attributes: { n, level, seen } }) =>
      JSON.stringify({ n, level, seen }),
    );
    expect(delivered).toEqual(lines);
  });
});
