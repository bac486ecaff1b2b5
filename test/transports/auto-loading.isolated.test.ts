import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { onLoggerLoaded } from '../../transports/capture/auto/logger-modules.ts';

const require = createRequire(import.meta.url);

/** Runs `work` while loggers are observed. @returns the loggers that were loaded. */
async function observe(work: () => unknown): Promise<string[]> {
  const descriptor = Object.getOwnPropertyDescriptor(Module.prototype, 'load')!;
  onTestFinished(() => void Object.defineProperty(Module.prototype, 'load', descriptor));
  const loaded: string[] = [];
  onLoggerLoaded({ pino: () => loaded.push('pino'), winston: () => loaded.push('winston') });
  await work();
  return loaded;
}

/** A module in a temporary folder. */
async function moduleFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-auto-loading-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'module.cjs');
  await writeFile(file, text);
  return file;
}

it('Loggers are found when the program requires or imports them, and are loaded as usual', async () => {
  const loaded = await observe(async () => {
    require('pino');
    await import('winston');
  });
  expect(loaded).toEqual(['pino', 'winston']);
  expect(require.cache[require.resolve('pino')]).toMatchObject({ loaded: true });
});

it('A module that throws while loading has no frame of this package in its stack', async () => {
  const file = await moduleFile("throw new Error('broken module');");
  let stack = '';
  await observe(() => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 50;
    try {
      require(file);
    } catch (error) {
      stack = (error as Error).stack!;
    }
    Error.stackTraceLimit = stackTraceLimit;
  });
  expect(stack).toContain('broken module');
  expect(stack).toContain('Module.load');
  expect(stack).not.toContain('logger-modules');
});

it('Tools that wrap the loader afterwards still run, and loggers are found', async () => {
  const calls: string[] = [];
  const file = await moduleFile('');
  delete require.cache[require.resolve('pino')];
  const loaded = await observe(() => {
    const prototype = Module.prototype as unknown as { load(file: string): void };
    const { load } = prototype;
    prototype.load = function (name) {
      calls.push(name);
      load.call(this, name);
    };
    require(file);
    require('pino');
  });
  expect(calls[0]).toBe(file);
  expect(loaded).toEqual(['pino']);
});
