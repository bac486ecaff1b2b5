import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { transports } from '../../fixtures/transports.mjs';
import {
  type EndedProgram,
  type Ending,
  type EndingRuntime,
  runEnding,
} from '../../helpers/ending-program.ts';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject, ROOT } from '../fresh-project.ts';
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

/** Node's own are in `test/reliability/endings.test.ts`, with more endings. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'a natural end': { ending: 'natural' },
  'process.exit()': { ending: 'exit' },
  'an uncaught exception': { ending: 'throw' },
  'an unhandled rejection': { ending: 'reject' },
  'an exception that the program survives, then process.exit()': { ending: 'survive an error', late: 1 },
  SIGTERM: { ending: 'wait for a signal', signals: ['SIGTERM'] },
  'SIGTERM twice within 5 ms, with signal-exit': {
    ending: 'wait for a signal',
    company: ['signal-exit 3', 'signal-exit 4'],
    signals: ['SIGTERM', 'SIGTERM'],
  },
  'records logged in an exit listener': { ending: 'log in an exit listener', late: 2 },
  'process.exit() in an exit listener that logs': { ending: 'exit in an exit listener', late: 2 },
  'process.exit() in a worker thread': { ending: 'exit', inThread: true },
  'a flush and another record': { ending: 'flush, then log', late: 1 },
};

/** pino ends its worker before the last `exit` listeners; Deno emits no `exit` event after an error. */
const LOST_BY_PINO: Readonly<Record<string, RegExp>> = {
  bun: /exit listener/,
  deno: /exit listener|uncaught|unhandled/,
};

const project = await FreshProject.create(['pino', 'winston', 'loglayer', 'signal-exit-3', 'signal-exit-4']);
for (const file of ['endings.mjs', 'transports.mjs']) {
  await copyFile(join(ROOT, 'test/fixtures', file), join(project.path, file));
}

afterAll(() => project.remove());

/** @param command the installed program. */
function describeRuntime(runtime: string, command: string): void {
  const parameters = RUNTIMES[runtime]!.slice(1);

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

  it.runIf(runtime.startsWith('deno@')).each(Object.keys(transports))(
    '%s delivers at SIGTERM without permission to run programs, and ends with the signal',
    async (form) => {
      const allowed = ['env', 'net', 'read', 'sys', 'write'].map((name) => `--allow-${name}`);
      const settings: EndingRuntime = {
        command: [command, 'run', '--no-prompt', ...allowed],
        cwd: project.path,
        program: join(project.path, 'endings.mjs'),
      };
      const outcome = await runEnding(form, ENDINGS.SIGTERM!, settings);
      expect(outcome, outcome.stderr).toMatchObject({ signal: 'SIGTERM', stderr: '' });
      expect(outcome.numbers).toHaveLength(200);
    },
  );

  describe.runIf(/^(bun|deno)@/.test(runtime)).each(Object.keys(transports))('%s', (form) => {
    const controls = new Map<string, Promise<EndedProgram>>();

    it.each(Object.entries(ENDINGS))(
      'delivers every record and keeps the exit status: %s',
      async (name, ending) => {
        const settings: EndingRuntime = {
          command: [command, ...parameters],
          cwd: project.path,
          program: join(project.path, 'endings.mjs'),
        };
        const outcome = await runEnding(form, ending, settings);
        const control = controls.get(name) ?? runEnding('none', ending, settings);
        controls.set(name, control);
        const { code, signal } = await control;
        expect(outcome, outcome.stderr).toMatchObject({ code, signal });
        expect(outcome.stderr).not.toContain('logclient:');
        if (form === 'pino.transport' && LOST_BY_PINO[runtime.split('@')[0]!]!.test(name)) return;
        const { count = 200, late = 0 } = ending;
        const all = Array.from({ length: count + late }, (_, index) => index + 1);
        expect(outcome.numbers.toSorted((a, b) => a - b)).toEqual(all);
      },
    );
  });
}

for (const runtime of Object.keys(RUNTIMES)) {
  await describeInstalled(
    runtime,
    () => project.installProgram(runtime),
    (folder) => describeRuntime(runtime, join(folder, RUNTIMES[runtime]![0]!)),
  );
}
