import { describe, expect, it } from 'vitest';
import { lawCases } from '../helpers/laws.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';
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

const DROPPED = [dropLine(5)];

const SHAPES: readonly (readonly [string, number])[] = [
  ['target', 0],
  ['one of two targets', 5],
  ['pipeline', 0],
];

describe.each(lawCases(SHAPES, 1))(
  'The start error of a misconfigured pino.transport (%s)',
  (shape, others) => {
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
  },
);

describe('A pino.transport without any settings and without a local server', () => {
  const DEVELOPMENT = { LOGCLIENT_DISCOVERY: '', XDG_STATE_HOME: '/nowhere' };
  const ADVICE =
    'set LOGSCALE_URL and LOGSCALE_INGEST_TOKEN. To use a local server, run "npx logclient dev node app.js"';
  const start = (env: Record<string, string>, shape: string, options = {}): Promise<NodeRun> => {
    const settings = { shape, ending: 'ends by itself', options, hasListener: false };
    return runNode('test/fixtures/pino-start-fails.mjs', {
      ...DEVELOPMENT,
      ...env,
      SETTINGS: JSON.stringify(settings),
    });
  };

  it.each<Record<string, string>>([{}, { CI: 'true' }])(
    'does not end the program: stderr says what to do, with %j',
    async (env) => {
      const failure = startFailure(await start(env, 'one of two targets'));
      expect(failure).toEqual({
        code: 0,
        events: [],
        others: 5,
        reported: [
          expect.stringMatching(
            /^logclient: Records are dropped\. logclient\/pino needs a token\. Pass .* program\.$/,
          ),
        ],
      });
      expect(failure.reported[0]).toContain(ADVICE);
    },
  );

  it.each<[string, Record<string, string>, object]>([
    ['NODE_ENV is production', { NODE_ENV: 'production' }, {}],
    ['an option is misspelled', {}, { flushIntervalMS: 5 }],
    ['an address is set', { LOGSCALE_URL: 'http://127.0.0.1:9' }, {}],
  ])('fails with a line for each problem instead of a stack of the worker if %s', async (_, env, options) => {
    const result = await start(env, 'target', options);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(
      /^LogOptionsException: (?:2 options are invalid:\n- .*\n- )?logclient\/pino .*\n(?:Emitted .*)?$/m,
    );
    expect(result.stderr).not.toContain('/dist/');
  });
});

describe('A misconfigured pino.transport', () => {
  it.each([
    ['no token', { baseUrl: 'http://127.0.0.1:9' }, 'logclient/pino needs a token'],
    ['a wrong address', { ingestToken: 'token', baseUrl: 'ftp://logs' }, '"baseUrl" must start with http://'],
    ['overflow: block', { ingestToken: 'token', overflow: 'block' }, '"overflow" can\'t be "block"'],
  ])('emits an error and reports the number of dropped records for: %s', async (_, options, message) => {
    const failure = startFailure(await run({ shape: 'target', ending: 'ends the transport', options }));
    expect(failure.events).toEqual([expect.stringContaining(message)]);
    expect(failure.reported).toEqual([dropLine(5)]);
  });

  it('calls flush callbacks, and emits no further errors for later records', async () => {
    const result = await run({ shape: 'one of two targets', ending: 'flushes the logger and logs again' });
    expect(startFailure(result)).toEqual({
      code: 0,
      events: [MISSPELLED_ERROR, 'flushed'],
      others: 6,
      reported: [dropLine(6)],
    });
  });
});
