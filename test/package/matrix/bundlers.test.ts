import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { runNode } from '../../helpers/run-node.ts';
import { FreshProject, ROOT } from '../fresh-project.ts';

const ROLLUP_PLUGINS = [
  '@rollup/plugin-node-resolve@16.0.3',
  '@rollup/plugin-commonjs@29.0.0',
  '@rollup/plugin-json@6.1.0',
];

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);
const LOGGINGS = ['ingester', 'createPinoStream', 'createPinoTransport', 'winston'];

/** The recipes of docs/platforms.md. */
const BANNER = `{ js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }`;
const PACKAGES = `['pino', 'logclient']`;

const esbuild = (options: string): string => `
import { build } from 'esbuild';
await build({ entryPoints: ['app.mjs'], bundle: true, platform: 'node', ${options} });`;

const webpack = (bundler: string, folder: string, options = ''): string => `
import * as tool from '${bundler === 'webpack' ? 'webpack' : '@rspack/core'}';
const bundler = tool.rspack ?? tool.default;
const output = { path: import.meta.dirname + '/${folder}', filename: 'app.cjs' };
bundler({ entry: './app.mjs', mode: 'production', target: 'node20', output, ${options} }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
});`;

/** Externals of webpack: each import of these packages. */
const EXTERNALS = `externals: [({ request }, done) => (/^(pino|logclient)(\\/|$)/.test(request) ? done(null, 'commonjs ' + request) : done())]`;

const rollup = (file: string, format: string): string => `
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import resolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
const bundle = await rollup({ input: 'app.mjs', plugins: [resolve(), commonjs(), json()], logLevel: 'silent' });
await bundle.write({ file: '${file}', format: '${format}', inlineDynamicImports: true });`;

const VITE = `
import { build } from 'vite';
const rollupOptions = { output: { entryFileNames: 'app.mjs' } };
await build({ logLevel: 'error', build: { ssr: 'app.mjs', outDir: 'vite', rollupOptions }, ssr: { noExternal: true } });`;

/** Scripts that build the bundle in the name. */
const BUNDLES: Readonly<Record<string, string>> = {
  'esbuild-cjs/app.cjs': esbuild(`outfile: 'esbuild-cjs/app.cjs'`),
  'esbuild-esm/app.mjs': esbuild(`format: 'esm', outfile: 'esbuild-esm/app.mjs', banner: ${BANNER}`),
  'webpack/app.cjs': webpack('webpack', 'webpack'),
  'rspack/app.cjs': webpack('rspack', 'rspack'),
  'rollup-cjs/app.cjs': rollup('rollup-cjs/app.cjs', 'cjs'),
  'rollup-esm/app.mjs': rollup('rollup-esm/app.mjs', 'es'),
  'vite/app.mjs': VITE,
};

/** With the packages that pino's worker loads by name. */
const EXTERNAL: Readonly<Record<string, string>> = {
  'esbuild-external/app.cjs': esbuild(`outfile: 'esbuild-external/app.cjs', external: ${PACKAGES}`),
  'webpack-external/app.cjs': webpack('webpack', 'webpack-external', EXTERNALS),
  'rspack-external/app.cjs': webpack('rspack', 'rspack-external', EXTERNALS),
};

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  const bundlers = ['esbuild', 'webpack', '@rspack/core@2.3.2', 'rollup', 'vite@8.3.8'];
  project = await FreshProject.create(['pino', 'winston', ...bundlers, ...ROLLUP_PLUGINS]);
  await copyFile(join(ROOT, 'test/fixtures/platform-app.mjs'), join(project.path, 'app.mjs'));
}, 300_000);

afterAll(() => project?.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

/** Writes and runs a build script. */
async function build(script: string, folder = ''): Promise<void> {
  const file = await project.write(join(folder, 'build.mjs'), script);
  expect(await project.node(file)).toMatchObject({ code: 0 });
}

/** What a bundle delivers and prints. */
async function run(file: string, cwd: string, env: Record<string, string>): Promise<object> {
  const before = sink.events.length;
  const service = { LOGSCALE_URL: sink.url, LOGSCALE_INGEST_TOKEN: 'token', LOGCLIENT_DISCOVERY: 'off' };
  const { code, stdout, stderr } = await runNode(file, { ...service, ...env }, cwd);
  const numbers = sink.events.slice(before).map(({ attributes }) => attributes.n);
  return { code, output: stdout + stderr, numbers };
}

const DELIVERED = { code: 0, output: '', numbers: TEN };

describe.each(Object.entries(BUNDLES))('Bundle %s', { timeout: 240_000 }, (bundle, script) => {
  it('delivers all records without settings, in a folder with nothing else', async () => {
    await build(script);
    const folder = await mkdtemp(join(tmpdir(), 'logclient-bundle-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(join(project.path, bundle, '..'), folder, { recursive: true });
    const file = join(folder, basename(bundle));
    for (const LOGGING of LOGGINGS) {
      expect([LOGGING, await run(file, folder, { LOGGING })]).toEqual([LOGGING, DELIVERED]);
      expect(await run(file, folder, { LOGGING, ENDING: 'exit' })).toEqual(DELIVERED);
    }
  });
});

it.each(Object.entries(EXTERNAL))(
  'pino.transport delivers all records in the bundle %s, whose pino and logclient are external',
  async (bundle, script) => {
    await build(script);
    const env = { LOGGING: 'pino.transport' };
    expect(await run(join(project.path, bundle), project.path, env)).toEqual(DELIVERED);
  },
);

it('pino.transport delivers all records in a bundle with esbuild-plugin-pino', {
  timeout: 240_000,
}, async () => {
  const plugged = await FreshProject.create(['pino', 'winston', 'esbuild@0.25.8']);
  onTestFinished(() => plugged.remove());
  await plugged.install('--legacy-peer-deps', 'esbuild-plugin-pino@2.3.3');
  await copyFile(join(project.path, 'app.mjs'), join(plugged.path, 'app.mjs'));
  const script = `
const { build } = require('esbuild');
const pino = require('esbuild-plugin-pino');
const options = { entryPoints: { app: 'app.mjs' }, bundle: true, platform: 'node', outdir: 'out' };
build({ ...options, plugins: [pino({ transports: ['logclient/pino'] })] });`;
  expect(await plugged.node(await plugged.write('build.cjs', script))).toMatchObject({ code: 0 });
  // In another place, without node_modules.
  const folder = await mkdtemp(join(tmpdir(), 'logclient-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(plugged.path, 'out'), join(folder, 'out'), { recursive: true });
  const env = { LOGGING: 'pino.transport' };
  expect(await run(join(folder, 'out/app.js'), folder, env)).toEqual(DELIVERED);
});
