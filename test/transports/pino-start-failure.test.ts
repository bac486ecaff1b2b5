import { describe, expect, it } from 'vitest';
import { runNode } from '../helpers/run-node.ts';
import { dropLine, MISSPELLED, MISSPELLED_ERROR, startFailure } from '../helpers/start-failure.ts';

interface Settings {
  readonly shape: string;
  readonly ending: string;
  readonly options?: object;
  readonly hasListener?: boolean;
}

function run({ options = MISSPELLED, hasListener = true, ...settings }: Settings) {
  return runNode('test/fixtures/pino-start-fails.mjs', {
    SETTINGS: JSON.stringify({ options, hasListener, ...settings }),
  });
}

const DROPPED = [dropLine(5, MISSPELLED_ERROR)];

describe.each([
  ['target', 0],
  ['one of two targets', 5],
  ['pipeline', 0],
])('The start error of a misconfigured pino.transport (%s)', (shape, others) => {
  it.each(['ends the transport', 'ends by itself'])(
    'is emitted once, and stderr reports the dropped records, if the program %s',
    async (ending) => {
      expect(startFailure(await run({ shape, ending }))).toEqual({
        code: 0,
        events: [MISSPELLED_ERROR],
        others,
        reported: DROPPED,
      });
    },
  );

  it('is on stderr with the number of dropped records if the program calls process.exit()', async () => {
    expect(startFailure(await run({ shape, ending: 'calls process.exit()' }))).toEqual({
      code: 3,
      events: [],
      others,
      reported: DROPPED,
    });
  });

  it('is on stderr with the number of dropped records if the program throws an uncaught exception', async () => {
    const result = await run({ shape, ending: 'throws an uncaught exception' });
    expect(startFailure(result)).toEqual({ code: 1, events: [], others, reported: DROPPED });
    expect(result.stderr).toContain('Error: thrown on purpose');
  });

  it.each(['ends the transport', 'ends by itself'])(
    'is an uncaught exception if the transport has no error listener and the program %s',
    async (ending) => {
      const result = await run({ shape, ending, hasListener: false });
      expect(startFailure(result)).toEqual({ code: 1, events: [], others, reported: DROPPED });
      expect(result.stderr).toContain(`Exception: ${MISSPELLED_ERROR}`);
    },
  );
});

describe('A misconfigured pino.transport', () => {
  it.each([
    ['no token', { baseUrl: 'http://127.0.0.1:9' }, 'logclient/pino needs a token'],
    ['a wrong address', { ingestToken: 'token', baseUrl: 'ftp://logs' }, '"baseUrl" must start with http://'],
    [
      'overflow: block',
      { ingestToken: 'token', overflow: 'block' },
      '"overflow" can\'t be "block" in a worker',
    ],
  ])('emits and reports an error for: %s', async (_, options, message) => {
    const failure = startFailure(await run({ shape: 'target', ending: 'ends the transport', options }));
    expect(failure.events).toEqual([expect.stringContaining(message)]);
    expect(failure.reported).toEqual([expect.stringContaining(message)]);
  });

  it('calls flush callbacks, and emits no further errors for later records', async () => {
    const result = await run({ shape: 'one of two targets', ending: 'flushes the logger and logs again' });
    expect(startFailure(result)).toEqual({
      code: 0,
      events: [MISSPELLED_ERROR, 'flushed'],
      others: 6,
      reported: [dropLine(6, MISSPELLED_ERROR)],
    });
  });
});
