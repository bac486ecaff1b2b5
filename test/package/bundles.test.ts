import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Format } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack, { type Configuration, type Stats } from 'webpack';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LOGGERS = join(ROOT, 'node_modules');
const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

/** What an ESM bundle of CommonJS packages, such as pino and winston, needs. */
const REQUIRE_FOR_ESM =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Builds a bundle. @returns the bundler's warnings */
type Bundler = (entry: string, outfile: string) => Promise<unknown[]>;

function esbuild(format: Format, minify: boolean): Bundler {
  return async (entry, outfile) => {
    const { warnings, errors } = await build({
      entryPoints: [entry],
      outfile,
      format,
      minify,
      bundle: true,
      platform: 'node',
      target: 'node20',
      nodePaths: [LOGGERS],
      logLevel: 'silent',
      ...(format === 'esm' ? { banner: { js: REQUIRE_FOR_ESM } } : {}),
    });
    return [...warnings, ...errors];
  };
}

const WEBPACK_OUTPUT: Readonly<Record<'cjs' | 'esm', Configuration>> = {
  cjs: { output: { library: { type: 'commonjs2' } } },
  esm: {
    output: { module: true, chunkFormat: 'module', library: { type: 'module' } },
    experiments: { outputModule: true },
  },
};

function webpackTo(format: 'cjs' | 'esm'): Bundler {
  return async (entry, outfile) => {
    const { output, ...rest } = WEBPACK_OUTPUT[format];
    const configuration: Configuration = {
      entry,
      mode: 'production',
      target: 'node20',
      context: resolve(entry, '..'),
      devtool: false,
      // Minimizing takes most of the time, and esbuild already covers renamed identifiers.
      optimization: { minimize: false },
      resolve: { modules: ['node_modules', LOGGERS] },
      output: {
        path: resolve(outfile, '..'),
        filename: outfile.slice(outfile.lastIndexOf('/') + 1),
        ...output,
      },
      ...rest,
    };
    const stats = await new Promise<Stats>((settle, reject) => {
      webpack(configuration, (error, result) => {
        if (result === undefined) reject(error);
        else settle(result);
      });
    });
    return [...stats.compilation.warnings, ...stats.compilation.errors].map(({ message }) => message);
  };
}

const BUNDLERS: Readonly<Record<string, Bundler>> = {
  'esbuild-minified.mjs': esbuild('esm', true),
  'esbuild.cjs': esbuild('cjs', false),
  'webpack.mjs': webpackTo('esm'),
  'webpack.cjs': webpackTo('cjs'),
};

const TOKEN = 'token-of-the-child';

const ENDINGS: Readonly<Record<string, number>> = { natural: 0, exit: 3, throw: 1 };

const failsOnce: IngestSink['answer'] = (_, index) => (index === 0 ? { status: 503 } : {});

const ALL_CASES = ['ingester', 'pino', 'winston'].flatMap((logging) =>
  Object.keys(ENDINGS).map((ending) => [logging, ending] as const),
);
const TYPICAL_CASES = [
  ['ingester', 'throw'],
  ['pino', 'natural'],
  ['winston', 'exit'],
] as const;

let folder: string;
/** The bundlers' warnings. */
const complaints: Record<string, unknown[]> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-bundles-'));
  const project = join(folder, 'project');
  const installed = join(project, 'node_modules/logclient');
  await mkdir(installed, { recursive: true });
  await cp(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(installed, 'package.json'));
  const entry = join(project, 'app.mjs');
  await cp(join(ROOT, 'test/fixtures/bundled-app.mjs'), entry);
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    complaints[name] = await bundle(entry, join(folder, name, name));
  }
  // webpack stores the package's path, which doesn't exist on the machine that runs the bundle.
  await rm(project, { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run extends NodeRun {
  readonly sink: IngestSink;
  readonly numbers: unknown[];
  /** The package's messages. */
  readonly lines: string[];
}

/** Runs a bundle in a folder with nothing else. */
async function run(
  bundle: string,
  {
    answer = failsOnce,
    ...env
  }: { answer?: IngestSink['answer'] } & Record<'LOGGING' | 'ENDING', string> &
    Partial<Record<'MORE', string>>,
): Promise<Run> {
  const sink = await IngestSink.open();
  sink.answer = answer;
  const cwd = join(folder, bundle);
  try {
    const result = await runNode(join(cwd, bundle), { SINK_URL: sink.url, TOKEN, ...env }, cwd);
    const lines = result.stderr.split('\n').filter((line) => line.startsWith('logclient:'));
    expect(result.stdout + result.stderr).not.toContain(TOKEN);
    return { ...result, sink, lines, numbers: sink.events.map(({ attributes }) => attributes.n) };
  } finally {
    await sink.close();
  }
}

describe.concurrent.each(Object.keys(BUNDLERS))('Bundle %s', (bundle) => {
  it('is built without warnings', () => {
    expect(complaints[bundle]).toEqual([]);
  });

  const cases = bundle.includes('minified') ? ALL_CASES : TYPICAL_CASES;

  it.each(cases)('delivers all records of %s with the ending: %s', async (name, ending) => {
    const { code, numbers, lines, sink } = await run(bundle, { LOGGING: name, ENDING: ending });
    expect({ code, numbers }).toEqual({ code: ENDINGS[ending], numbers: TEN });
    for (const { path, headers } of sink.requests) {
      expect(path).toBe('/api/v1/ingest/humio-structured');
      expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' });
    }
    expect(lines).toEqual([]);
  });
});

/** An expression with what each entry for browsers exports, and its value. */
const IN_BROWSERS: Readonly<Record<string, readonly [expression: string, value: unknown]>> = {
  'query-language': [
    "bundle.check('level=error | cuont()').map(({ message }) => /count/.test(message))",
    [true],
  ],
  browser: ["typeof bundle.createLogger({ url: '/logs' }).info", 'function'],
  'next-edge': ['typeof bundle.createLogging', 'function'],
};

it('The entries for browsers can be bundled for them, and run in Chromium', async () => {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const chrome = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await chrome.newPage();
    for (const [entry, [expression, value]] of Object.entries(IN_BROWSERS)) {
      for (const format of ['js', ...(entry === 'next-edge' ? [] : ['cjs'])]) {
        const { outputFiles } = await build({
          entryPoints: [join(ROOT, `dist/${entry}.${format}`)],
          bundle: true,
          format: 'iife',
          globalName: 'bundle',
          platform: 'browser',
          write: false,
          logLevel: 'silent',
        });
        const [{ text } = { text: '' }] = outputFiles;
        expect([entry, format, await page.evaluate(`${text}; ${expression}`)]).toEqual([
          entry,
          format,
          value,
        ]);
      }
    }
  } finally {
    await chrome.close();
  }
});

describe.concurrent('Bundled delivery at process.exit()', () => {
  const exit = (answer: IngestSink['answer'], logging = 'ingester', more: object = { closeTimeoutMs: 800 }) =>
    run('esbuild-minified.mjs', { answer, LOGGING: logging, ENDING: 'exit', MORE: JSON.stringify(more) });

  const events = ({ groups }: Parameters<IngestSink['answer']>[0]) => groups.flatMap((group) => group.events);

  it('delivers the records of createPinoTransport() from its worker', async () => {
    const { code, numbers, lines } = await exit(failsOnce, 'pino worker');
    expect({ code, numbers, lines }).toEqual({ code: 3, numbers: TEN, lines: [] });
  });

  it('splits requests that get a 413', async () => {
    const { numbers, lines } = await exit((request) => (events(request).length > 3 ? { status: 413 } : {}));
    expect({ numbers, lines }).toEqual({ numbers: TEN, lines: [] });
  });

  it('drops only the record that the service rejects', async () => {
    const { numbers, lines } = await exit((request) =>
      events(request).some(({ attributes }) => attributes.n === 7) ? { status: 400 } : {},
    );
    expect(numbers).toEqual(TEN.filter((n) => n !== 7));
    expect(lines).toEqual([expect.stringContaining('1 record was dropped: rejected by the service.')]);
  });

  it('reconnects after connection resets', async () => {
    const resetsTwice: IngestSink['answer'] = (_, index) => (index < 2 ? { reset: true } : {});
    const { numbers, lines, sink } = await exit(resetsTwice, 'ingester', { maxBatchRecords: 4 });
    // After failures, single records show whether any is accepted.
    expect({ numbers: numbers.map(Number).sort((a, b) => a - b), lines }).toEqual({
      numbers: TEN,
      lines: [],
    });
    expect(sink.requests.slice(0, 2).map((request) => events(request).length)).toEqual([4, 1]);
  });

  it.each<[string, ReturnType<IngestSink['answer']>]>([
    ['hangs', { hang: true }],
    ['fails for ever', { status: 503 }],
    ['leads elsewhere', { status: 302, headers: { location: '/login' } }],
    ['wants another token', { status: 401 }],
  ])('reports the dropped records when the service %s', async (_, answer) => {
    const { code, numbers, lines, sink } = await exit(() => answer);
    expect({ code, numbers }).toEqual({ code: 3, numbers: [] });
    expect(lines.filter((line) => line.includes('10 records were dropped'))).toHaveLength(1);
    expect(sink.requests.length).toBeLessThan(50);
  });
});
