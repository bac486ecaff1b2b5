// @ts-expect-error the package has no types
import runSuite from 'abstract-winston-transport';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogTransport, LogTransportOptions } from '../../transports/winston/index.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';

/** The built package, whose worker file can be loaded. */
const built: typeof import('../../transports/winston/index.ts') = await import('logclient/winston' as string);

type Run = (done?: (error?: unknown) => void) => unknown;

/** A test or hook of mocha, which ends when it returns or calls `done`. */
function withDone(run: Run): () => Promise<void> {
  return async () => {
    if (run.length === 0) await run();
    else await new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())));
  };
}

const MOCHA = {
  describe,
  it: (title: string, run: Run) => it(title, withDone(run)),
  beforeEach: (run: Run) => beforeEach(withDone(run)),
  afterEach: (run: Run) => afterEach(withDone(run)),
  after: (run: Run) => afterAll(withDone(run)),
};

for (const [name, hook] of Object.entries(MOCHA)) vi.stubGlobal(name, hook);

describe.each([true, false])('The abstract-winston-transport suite with worker: %s', (worker) => {
  let sink: IngestSink;
  const transports: LogTransport[] = [];

  class Transport extends built.LogTransport {
    constructor(options: LogTransportOptions) {
      super(options);
      transports.push(this);
    }
  }

  beforeEach(async () => {
    sink = await IngestSink.open();
  });

  // Runs after the hooks of the suite.
  afterEach(async ({ task }) => {
    for (const transport of transports.splice(0)) {
      transport.close();
      await transport.flush();
    }
    await sink.close();
    const logsNothing = task.name === 'should be present';
    expect(sink.events.map(({ attributes }) => attributes)).toEqual(
      logsNothing ? [] : [{ level: 'debug', message: 'foo' }],
    );
  });

  runSuite({
    name: 'LogTransport',
    Transport,
    construct: () => ({ baseUrl: sink.url, ingestToken: 'token', worker }),
  });
});
