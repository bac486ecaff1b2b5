import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject } from '../fresh-project.ts';

const MANIFEST = (tarball: string) => ({
  private: true,
  type: 'module',
  dependencies: {
    logclient: `file:../${basename(tarball)}`,
    winston: '3.19.0',
    'winston-old': 'npm:winston@3.10.0',
    typescript: '6.0.3',
    '@types/node': '20.19.25',
  },
  pnpm: { overrides: { 'winston@3.10.0>logform': '2.4.0' } },
});

/** Counts how often a value is serialized, with a logger of each winston. */
const COUNT_WRITES = (url: string) => `
import { LogTransport } from 'logclient/winston';
import old from 'winston-old';
import winston from 'winston';
const writes = [];
for (const { createLogger } of [winston, old]) {
  const transport = new LogTransport({ baseUrl: '${url}', ingestToken: 'token' });
  let count = 0;
  const value = { toJSON: () => ++count };
  createLogger({ transports: [transport] }).info('hello', { value });
  writes.push(count);
  await transport.flush();
  transport.close();
}
console.log(JSON.stringify({ copies: winston.format.json().transform !== old.format.json().transform, writes }));`;

const TYPES = `
import { LogTransport } from 'logclient/winston';
import old from 'winston-old';
import winston from 'winston';
winston.createLogger({ transports: [new LogTransport({ format: winston.format.json() })] });
old.createLogger().add(new LogTransport());
// @ts-expect-error a format has a transform
new LogTransport({ format: { options: {} } });
`;

const TSCONFIG = {
  compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', types: ['node'] },
  include: ['types.mts'],
};

describe('pnpm with two versions of winston', { timeout: 60_000 }, () => {
  let project: FreshProject;

  beforeAll(async () => {
    project = await FreshProject.create();
    await mkdir(`${project.path}/strict`);
    await project.write('strict/package.json', JSON.stringify(MANIFEST(project.tarball)));
    const pnpm = ['--yes', 'pnpm@10.34.9', '--dir', 'strict', '--store-dir', 'store'];
    expect(await project.run('npx', ...pnpm, 'install', '--ignore-scripts')).toMatchObject({ code: 0 });
  }, 180_000);

  afterAll(() => project.remove());

  it('delivers the records of both versions, and serializes each record once', async () => {
    const sink = await IngestSink.open();
    await project.write('strict/count.js', COUNT_WRITES(sink.url));
    const { stdout, stderr } = await project.node('strict/count.js');
    await sink.close();
    expect({ stdout: stdout.trim(), stderr }).toEqual({
      stdout: '{"copies":true,"writes":[1,1]}',
      stderr: '',
    });
    expect(sink.events.map(({ attributes }) => attributes.value)).toEqual([1, 1]);
  });

  it('compiles LogTransport with the types of both versions', async () => {
    await project.write('strict/types.mts', TYPES);
    await project.write('strict/tsconfig.json', JSON.stringify(TSCONFIG));
    const tsc = 'strict/node_modules/typescript/bin/tsc';
    expect(await project.node(tsc, '-p', 'strict')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
