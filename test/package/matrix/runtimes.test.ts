import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject } from '../fresh-project.ts';
import { logAndExit, sellAndQuery } from '../programs.ts';

/** Packages that contain a runtime, and its command. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  'node@22.23.3': ['node_modules/node/bin/node'],
  'node@24.21.0': ['node_modules/node/bin/node'],
  'node@26.10.0': ['node_modules/node/bin/node'],
  'bun@1.4.5': ['node_modules/bun/bin/bun.exe'],
  'deno@2.9.6': ['node_modules/.bin/deno', 'run', '--allow-all'],
};

const IMPORTS = `
import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';
import { createPinoStream, createPinoTransport } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';`;

const LOGGERS: Readonly<Record<string, string>> = {
  'pino.transport': `pino(pino.transport({ target: 'logclient/pino', options: connection }))`,
  createPinoTransport: 'pino(createPinoTransport(connection))',
  createPinoStream: 'pino(createPinoStream(connection))',
  LogTransport: 'winston.createLogger({ transports: [new LogTransport(connection)] })',
  'LogTransport, in-process':
    'winston.createLogger({ transports: [new LogTransport({ ...connection, worker: false })] })',
};

let project: FreshProject;

beforeAll(async () => {
  project = await FreshProject.create(['pino', 'winston']);
}, 180_000);

afterAll(() => project.remove());

describe.each(Object.keys(RUNTIMES))('%s', { timeout: 60_000 }, (runtime) => {
  let command: string;
  const parameters = RUNTIMES[runtime]!.slice(1);

  beforeAll(async () => {
    const folder = join('runtimes', runtime.replace('@', '-'));
    await mkdir(join(project.path, folder), { recursive: true });
    await project.write(join(folder, 'package.json'), '{ "private": true }');
    // Their install scripts download the programs.
    const install = ['install', '--no-audit', '--no-fund', '--foreground-scripts', '--prefix', folder];
    const installed = await project.run('npm', ...install, runtime);
    expect(installed).toMatchObject({ code: 0 });
    command = join(project.path, folder, RUNTIMES[runtime]![0]!);
  }, 180_000);

  it.each(Object.entries(LOGGERS))(
    'ships the records of %s, and a query finds them',
    async (_name, logger) => {
      await project.write('sell.mjs', sellAndQuery(IMPORTS, logger));
      const { code, stdout } = await project.run(command, ...parameters, 'sell.mjs');
      expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'a,b,c' });
    },
  );

  it.each(Object.entries(LOGGERS))(
    'delivers the pending records of %s at process.exit()',
    async (_name, logger) => {
      const sink = await IngestSink.open();
      await project.write('exit.mjs', logAndExit(IMPORTS, logger, sink.url));
      const { code } = await project.run(command, ...parameters, 'exit.mjs');
      await sink.close();
      expect({ code, delivered: sink.events.length }).toEqual({ code: 3, delivered: 1000 });
    },
  );
});
