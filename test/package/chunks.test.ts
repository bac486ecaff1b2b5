import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorker } from '../../scripts/bundle-worker.ts';
import { libraryConfig } from '../../tsdown.config.ts';
import { CLI_FILE } from '../helpers/cli-process.ts';
import { ROOT } from './fresh-project.ts';

/** One file of the build. */
interface Chunk {
  readonly fileName: string;
  readonly code: string;
  /** Absolute paths of the source files in it. */
  readonly moduleIds: readonly string[];
  /** Chunks and packages. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const INSTALLED = Object.keys(peerDependencies);

/** It feeds workers. */
const BUNDLED_WITH_WORKERS = ['thread-stream'];

const NOT_FOR_CLIENTS = /^src\/(server|engine|testing|tools)\//;
/** Checks queries for Next-Gen SIEM. Programs that only log never load it, except for the lexer, which `lql` uses. */
const ON_DEMAND = /^src\/language\/(?!(?:character-classes|lexer|source|syntax-error|token)\.ts)/;

/** Prints the URL of every module that an ES module import loads. */
const PRINT_LOADED = `import { writeSync } from 'node:fs';
export function load(url, context, next) {
  writeSync(2, \`\${url}\\n\`);
  return next(url, context);
}`;

let chunks: Chunk[];

beforeAll(async () => {
  // Without the plugin that writes the licenses, because other tests pack `dist` at the same time.
  const plugins = [libraryConfig.plugins].flat().filter((plugin) => !isLicensePlugin(plugin));
  const options = { config: false, cwd: ROOT, write: false, clean: false, dts: false, plugins } as const;
  const bundles = await build({ ...libraryConfig, ...options, logLevel: 'error' });
  chunks = bundles.flatMap((bundle) => bundle.chunks.filter((chunk) => chunk.type === 'chunk'));
});

function isLicensePlugin(plugin: unknown): boolean {
  return (plugin as { name?: string }).name === 'rollup-plugin-license';
}

/** The chunks that an entry loads, by default including those loaded on demand. */
function reachable(entry: string, { onDemand = true } = {}): Chunk[] {
  const found = new Set<Chunk>();
  const visit = (fileName: string): void => {
    const chunk = chunks.find((candidate) => candidate.fileName === fileName);
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const next of onDemand ? [...chunk.imports, ...chunk.dynamicImports] : chunk.imports) visit(next);
  };
  visit(entry);
  expect(found.size, `chunks of ${entry}`).toBeGreaterThan(0);
  return [...found];
}

function packageOf(path: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path.replaceAll('\\', '/'))?.[1];
}

function bundledIn(some: readonly Chunk[]): string[] {
  const packages = some.flatMap(({ moduleIds }) => moduleIds.map(packageOf));
  return [...new Set(packages.filter((name) => name !== undefined))].sort();
}

function sourcesIn(some: readonly Chunk[]): string[] {
  const paths = some.flatMap(({ moduleIds }) => moduleIds.map((path) => path.slice(ROOT.length + 1)));
  return paths.map((path) => path.replaceAll('\\', '/')).filter((path) => /^(src|transports)\//.test(path));
}

function notInstalled(specifiers: readonly string[]): string[] {
  return specifiers.filter(
    (specifier) =>
      !isBuiltin(specifier) &&
      !INSTALLED.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
  );
}

describe('Chunks of the build', () => {
  const clients = (packages: string[], ...names: string[]): [string, string[]][] =>
    names.flatMap((name) => [`${name}.js`, `${name}.cjs`]).map((entry) => [entry, packages]);

  it.each([
    ...clients([], 'index', 'ingest-handler'),
    ...clients(BUNDLED_WITH_WORKERS, 'pino', 'winston', 'loglayer', 'console', 'next'),
    ['auto-capture.cjs', BUNDLED_WITH_WORKERS] as const,
  ])('keep the server, the CLI and their packages out of %s', (entry, packages) => {
    const loaded = reachable(entry);
    expect(bundledIn(loaded)).toEqual(packages);
    expect(sourcesIn(loaded).filter((path) => NOT_FOR_CLIENTS.test(path))).toEqual([]);
    const atOnce = sourcesIn(reachable(entry, { onDemand: false }));
    expect(atOnce.filter((path) => ON_DEMAND.test(path))).toEqual([]);
  });

  it.each(['query-language.js', 'query-language.cjs'])(
    'need no module of Node.js for %s, which runs in browsers',
    (entry) => {
      const names = reachable(entry).flatMap(
        ({ code }) => code.match(/(?<=(?:from|import|require\()\s?["'])node:\w+/g) ?? [],
      );
      expect(names).toEqual([]);
    },
  );

  it('that an app with the client and all transports can load are at most 1.2 MB', () => {
    const entries = ['index', 'pino', 'winston', 'loglayer', 'console', 'ingest-handler', 'next'];
    const loaded = new Set(entries.flatMap((entry) => reachable(`${entry}.js`)));
    const bytes = [...loaded].reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThanOrEqual(1_200_000);
  });

  it('that auto loads before a logger logs are at most 15 kB', () => {
    const loaded = reachable('auto.cjs', { onDemand: false });
    expect(loaded.reduce((sum, { code }) => sum + code.length, 0)).toBeLessThanOrEqual(15_000);
  });

  it.each([
    [
      'delivery',
      'worker',
      BUNDLED_WITH_WORKERS,
      /^(src\/(core|ingest)|transports\/(pino|capture\/auto|worker))\b/,
    ],
    ['requests', 'request', [], /^src\/core\b/],
  ] as const)('keep all but the %s out of the program of its thread', async (_, name, packages, own) => {
    const program = await bundleWorker(name);
    expect(bundledIn([program])).toEqual(packages);
    expect(sourcesIn([program]).filter((path) => !own.test(path))).toEqual([]);
    const outside = [...program.imports, ...program.dynamicImports];
    expect(outside).toContain('node:http');
    expect(outside.filter((name) => !isBuiltin(name) && name !== program.fileName)).toEqual([]);
  });

  it('include the packages of the server in local-server, so that the checks above can fail', () => {
    const packages = bundledIn(reachable('local-server.cjs'));
    expect(packages).toEqual(expect.arrayContaining(['hono', 'graphql', 'saxes']));
    expect(sourcesIn(reachable('local-server.js')).some((path) => NOT_FOR_CLIENTS.test(path))).toBe(true);
  });

  it('import only installed packages', () => {
    const fileNames = new Set(chunks.map(({ fileName }) => fileName));
    const imports = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
    expect(notInstalled(imports.filter((name) => !fileNames.has(name)))).toEqual([]);
  });

  it('that view loads before its first request contain no HTTP API and compile no queries', () => {
    const host = chunks.find((chunk) => sourcesIn([chunk]).includes('src/server/node/lazy-http-api.ts'));
    const atOnce = reachable(host!.fileName, { onDemand: false });
    expect(bundledIn(atOnce)).not.toContain('hono');
    expect(
      sourcesIn(atOnce).filter((path) => /^src\/(engine\/(functions|compiler)|language)\//.test(path)),
    ).toEqual([]);
    expect(bundledIn(reachable(host!.fileName))).toContain('hono');
  });

  it.each([
    ['--version', 173_700],
    ['--help', 190_000],
  ])(
    'loaded by logclient %s contain only the CLI and commander, at most %i bytes',
    async (flag, maxBytes) => {
      const hooks = `data:text/javascript,${encodeURIComponent(PRINT_LOADED)}`;
      const register = `import { register } from 'node:module'; register(${JSON.stringify(hooks)});`;
      const program = ['--import', `data:text/javascript,${encodeURIComponent(register)}`, CLI_FILE, flag];
      const { stderr } = await promisify(execFile)(process.execPath, program);
      const files = stderr
        .split('\n')
        .filter((url) => url.startsWith('file:'))
        .map((url) => basename(url));
      const loaded = chunks.filter(({ fileName }) => files.includes(basename(fileName)));
      expect(loaded.map(({ fileName }) => basename(fileName)).sort()).toEqual(files.sort());
      expect(bundledIn(loaded)).toEqual(['commander']);
      expect(loaded.reduce((sum, { code }) => sum + code.length, 0)).toBeLessThanOrEqual(maxBytes);
      expect(sourcesIn(loaded).filter((path) => !/^src\/(tools|core)\b/.test(path))).toEqual([]);
    },
  );
});

describe('Files of the build', () => {
  it('for Node are ASCII, which Node reads faster', () => {
    const files = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });
    const programs = files.filter((file) => /\.c?js$/.test(file) && !/browser|next-edge/.test(file));
    expect(programs.length).toBeGreaterThan(50);
    const isAscii = (file: string) => /^[\0-\x7f]*$/.test(readFileSync(join(ROOT, 'dist', file), 'latin1'));
    expect(programs.filter((file) => !isAscii(file))).toEqual([]);
  });

  it('include the name, version and license text of every bundled package', () => {
    const text = readFileSync(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const entries = new Map(
      text.split(/\n---\n+(?=Name: )/).map((entry) => [/^Name: (.*)$/m.exec(entry)?.[1], entry]),
    );
    const packages = bundledIn(chunks);
    expect(packages).toContain('hono');
    expect([...entries.keys()].sort()).toEqual(packages);
    for (const name of packages) {
      const manifest = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
      expect(entries.get(name)).toContain(`\nVersion: ${manifest.version}\n`);
      expect(entries.get(name)?.split('\nLicense Text:\n===\n')[1]).toMatch(/permission[\s\S]{300}/i);
    }
  });

  it('load modules of Node without import() in CommonJS, because Jest rejects it there', () => {
    const files = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });
    const commonJs = files.filter((file) => file.endsWith('.cjs'));
    expect(commonJs.length).toBeGreaterThan(10);
    const importing = commonJs.filter((file) =>
      /\bimport\(\s*["'`]node:/.test(readFileSync(join(ROOT, 'dist', file), 'utf8')),
    );
    expect(importing).toEqual([]);
  });

  it('import types only from installed packages', () => {
    const files = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });
    const declarations = files.filter((file) => /\.d\.c?ts$/.test(file));
    expect(declarations.length).toBeGreaterThan(10);
    const imports = declarations.flatMap((file) => {
      const text = readFileSync(join(ROOT, 'dist', file), 'utf8');
      return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*["']([^."'\n][^"'\n]*)["']/gm)].map(
        (match) => match[1]!,
      );
    });
    expect(imports).toContain('vitest');
    expect(notInstalled(imports)).toEqual([]);
  });
});
