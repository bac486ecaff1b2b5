import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, resolve } from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { minifySync } from 'rolldown/utils';
import license, { type Dependency } from 'rollup-plugin-license';
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown';
import { INPUT_OPTIONS, TARGET, WORKERS, workerText } from './scripts/bundle-worker.ts';

/** A program, so it exports no types. */
const CLI = 'src/tools/cli/main.ts';

const entries = {
  index: 'src/index.ts',
  pino: 'transports/pino/index.ts',
  winston: 'transports/winston/index.ts',
  loglayer: 'transports/loglayer/index.ts',
  console: 'transports/capture/console/index.ts',
  'ingest-handler': 'transports/web/ingest-handler/index.ts',
  next: 'transports/web/next/index.ts',
  'local-server': 'src/server/index.ts',
  'line-query': 'src/server/line-query/index.ts',
  'query-language': 'src/language/index.ts',
  eslint: 'src/tools/eslint/index.ts',
  testing: 'src/testing/index.ts',
  'testing/jest': 'src/testing/jest.ts',
};

const esmEntries = {
  ...entries,
  'testing/vitest': 'src/testing/vitest.ts',
  'cli/main': CLI,
};

/** CommonJS, so that `auto` can load `auto-capture` when a logger logs, without waiting. */
const cjsEntries = {
  ...entries,
  auto: 'transports/capture/auto/index.ts',
  'auto-capture': 'transports/capture/auto/capture.ts',
};

/** All bundles share one program of the compiler, which has each file that they may need. */
const DTS = { eager: true, tsconfigRaw: { include: ['src', 'transports'] } };

const NODE_CORE = 'allowed-hosts|disk|folders|keep-alive|liveness|real-|stderr-|worker-flags|switches';

/** What reads files of lines. */
const LINES_CORE = 'binary|delay|line-splitter|string-map|time-zone(?!-)';

/** What each command loads. */
const COMMAND = [
  'cli/(serve/(variables|page-flags|request-log)|auth/prompt|commands/resource)|query/gate|settings/input-file',
  'output/(command-failure|row-format|terminal-text|interruption|flag-values|pager|pipe-readers|standard-output)',
].join('|');

/** What reads files. */
const LINE_SOURCES = 'settings/(line-sources|file-bytes|rotated-files|followed-file)|query/file-arguments';

/** Puts the modules whose paths in `src` match into one file. */
function sources(name: string, paths: string): Rolldown.CodeSplittingGroup {
  return { name, test: new RegExp(`/src/${paths}(?<!\\.d)\\.ts$`) };
}

/** What programs import and run. */
export const libraryConfig = {
  entry: entries,
  format: { esm: { entry: esmEntries }, cjs: { entry: cjsEntries } },
  platform: 'node',
  // `dependencies` and `peerDependencies` stay imports; any other package is bundled.
  // The matchers must extend the test runner that the user installed.
  alias: { '@modelcontextprotocol/server/_shims': resolve('src/tools/mcp/sdk-shims.ts') },
  deps: { neverBundle: ['vitest', '@jest/globals', 'expect'], onlyBundle: false },
  target: TARGET,
  dts: { ...DTS, entry: [...Object.values(esmEntries), cjsEntries.auto].filter((file) => file !== CLI) },
  shims: true,
  fixedExtension: false,
  inputOptions: INPUT_OPTIONS,
  // Docstrings stay in the type declarations only.
  outputOptions: {
    comments: { legal: true, annotation: true, jsdoc: false },
    // A starting program pays for each file. Without groups, each module that several entries share may become a file.
    codeSplitting: {
      groups: [
        // The query language runs in browsers, too, so it must not load modules that need Node.js.
        sources(
          'core',
          `core/(?!${NODE_CORE}|${LINES_CORE}|event-order|time-option|seeded-random)([^/]+|records/(timestamp|logger-line|severity|record-fields|field-names)|secrets/secret-kinds)`,
        ),
        sources('lines', `core/(${LINES_CORE})`),
        // `auto` loads nothing else until a logger logs.
        sources('auto', '(core/real-process|core/stderr-line|core/switches|ingest/report/transport-mark)'),
        sources('node', `core/(${NODE_CORE})[^/]*`),
        { name: 'version', test: (id) => id === resolve('package.json') },
        sources('secrets', 'core/secrets/.+'),
        // Agents load `node:https` and `node:tls`, which most programs don't need.
        sources('http', 'core/(event-order|time-option|(http|discovery)/(?!node/\\w+-agent).+)'),
        sources('ingest', 'ingest/(?!worker|kit).+'),
        sources('transport', 'ingest/(worker|kit)/.+'),
        sources('records', 'core/records/(structured-lines|log-records|logged-line|log-line|formats/.+)'),
        sources('command', `tools/(${COMMAND})`),
        sources('rows', 'tools/output/(row-writer|highlight|in-columns|time-text)'),
        sources('line-sources', `tools/(${LINE_SOURCES})`),
      ],
    },
  },
  plugins: [
    // Otherwise ES modules call `createRequire(import.meta.url)`, which throws in a CommonJS bundle of the user.
    esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] }),
    licenseFiles('node'),
    embedWorkers(),
    dropUnusedImport(),
    minifyChunks(),
    escapeUnicode(),
  ],
} satisfies UserConfig;

/** What web pages import, also without a bundler: one file per format. */
const browserConfig = {
  entry: { browser: 'transports/web/browser/index.ts' },
  format: ['esm', 'cjs'],
  platform: 'browser',
  target: 'es2022',
  dts: DTS,
  minify: true,
  // Without a line in CommonJS that marks a module.
  outputOptions: { generatedCode: { symbols: false } },
  clean: false,
  fixedExtension: false,
} satisfies UserConfig;

/** The web page that the local server serves: one script and one style sheet. */
const pageConfig = {
  entry: { page: 'src/page/main.tsx' },
  outDir: 'dist/page',
  format: 'esm',
  platform: 'browser',
  // The editor has no grammar of CodeMirror.
  alias: {
    '@codemirror/language': resolve('src/page/editor/no-grammar.ts'),
    '@lezer/common': resolve('src/page/editor/no-grammar.ts'),
  },
  deps: { alwaysBundle: [/./], onlyBundle: false },
  target: 'es2022',
  tsconfig: 'src/page/tsconfig.json',
  dts: false,
  minify: true,
  clean: false,
  css: { fileName: 'page.css', minify: true },
  copy: ['src/page/index.html', 'src/page/play.html', 'src/page/icon.svg'],
  plugins: [withoutExamples(), licenseFiles('page'), compress()],
} satisfies UserConfig;

/** What the playground adds to the page: its bar and its service worker. */
const playConfigs = (['play', 'service-worker'] as const).map(
  (name) =>
    ({
      ...pageConfig,
      entry: { [name]: `src/page/play/${name === 'play' ? 'main' : name}.ts` },
      css: { fileName: 'play.css', minify: true },
      copy: [],
      plugins: [compress()],
    }) satisfies UserConfig,
);

/** What the page loads for its first chart, and to check its first query. */
const scriptConfigs = Object.entries({
  charts: 'src/page/results/charts.ts',
  checks: 'src/page/editor/checks.ts',
}).map(
  ([name, file]) =>
    ({
      ...pageConfig,
      entry: { [name]: file },
      copy: [],
      plugins: [licenseFiles('page'), compress()],
    }) satisfies UserConfig,
);

/** The local server in a browser, for the playground and HTML reports. */
const serverConfig = {
  entry: { server: 'src/server/browser/main.ts' },
  outDir: 'dist/page',
  format: 'iife',
  platform: 'browser',
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: {
    transform: {
      inject: { Buffer: [resolve('src/server/browser/buffer.ts'), 'BrowserBuffer'] },
    },
  },
  target: 'es2022',
  dts: false,
  minify: true,
  clean: false,
  plugins: [licenseFiles('page'), compress()],
} satisfies UserConfig;

/** Replaces `logclient/next` in bundles for the edge runtime, which has no modules of Node.js. */
const edgeConfig = {
  entry: { 'next-edge': 'transports/web/next/edge.ts' },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: false,
  clean: false,
} satisfies UserConfig;

export default defineConfig([
  libraryConfig,
  browserConfig,
  edgeConfig,
  pageConfig,
  ...playConfigs,
  ...scriptConfigs,
  serverConfig,
]);

/** Makes the programs of threads strings, because bundlers leave out files that nothing imports. */
function embedWorkers(): Rolldown.Plugin {
  const programs = new Map<string, Promise<string>>();
  return {
    name: 'embed-workers',
    async load(id) {
      const name = basename(id, '-program.ts');
      if (!(name in WORKERS)) return null;
      const program = programs.get(name) ?? workerText(name as keyof typeof WORKERS);
      programs.set(name, program);
      return `export const ${name}Program = () => ${JSON.stringify(await program)};`;
    },
    transform(code, id) {
      // The CLI runs no programs as subcommands, and importing `process` opens stdin.
      if (id.endsWith('/commander/lib/command.js'))
        return code.replace(/require\('node:(child_)?process'\)/g, 'globalThis.process');
      if (!id.endsWith('/thread-stream/index.js')) return null;
      const program = code.replace(/bundlerOverrides\['thread-stream-worker'\] \|\| .*/, 'opts.program');
      if (program === code) throw new Error('This version of thread-stream starts its worker differently.');
      // Fake timers of a test must not stop the delivery.
      return `const { setImmediate } = require('node:timers');${program}`;
    },
  };
}

/** Replaces each script and style sheet with a compressed file. Servers send these, and reports contain copies. */
function compress(): Rolldown.Plugin {
  return {
    name: 'compress',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(?:js|css)$/.test(fileName)) continue;
          delete bundle[fileName];
          const source = await gzipAsync(file.type === 'chunk' ? file.code : file.source, {
            // More iterations take seconds of each build, and save less than 0.1 %.
            numiterations: 5,
          });
          this.emitFile({ type: 'asset', fileName: `${fileName.replace('.iife.', '.')}.gz`, source });
        }
      },
    },
  };
}

/** Code that stays readable, because the programs of users load it. */
const READABLE = /\/(?:src\/(?:core|ingest|client|testing)|transports)\//;

/** Makes chunks small that mainly consist of other code. */
function minifyChunks(): Rolldown.Plugin {
  return {
    name: 'minify-chunks',
    generateBundle: {
      // Before this, the bundler would print the code again, with whitespace.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || !/\.c?js$/.test(file.fileName)) continue;
          const modules = Object.entries(file.modules);
          const size = (isCounted: (id: string) => boolean): number =>
            modules.reduce((sum, [id, { renderedLength }]) => sum + (isCounted(id) ? renderedLength : 0), 0);
          if (size((id) => READABLE.test(id)) < size(() => true) / 2) {
            file.code = minifySync(file.fileName, file.code).code;
          }
        }
      },
    },
  };
}

/** The page shows what a function does, but not its example. */
function withoutExamples(): Rolldown.Plugin {
  return {
    name: 'without-examples',
    transform(code, id) {
      if (!id.endsWith('src/language/functions/docs/index.ts')) return undefined;
      return code.replace(/ ⇒ .*(?:\n {2}.*)*/g, ' ⇒ -');
    },
  };
}

/** The bundler's runtime imports a module of Node.js without a use, which bundlers for browsers reject. */
function dropUnusedImport(): Rolldown.Plugin {
  return {
    name: 'drop-unused-import',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = file.code.replace(/^import "node:module";\n?/, '');
        }
      },
    },
  };
}

/** Makes chunks ASCII: from one character beyond Latin-1, Node.js reads a whole file as UTF-16, which takes twice the time. */
function escapeUnicode(): Rolldown.Plugin {
  return {
    name: 'escape-unicode',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && /\.c?js$/.test(file.fileName)) file.code = escaped(file.code);
        }
      },
    },
  };
}

/**
 * Programs have other characters only in strings, regular expressions and comments, where an escape means the same, and in
 * `String.raw`, where it would be text.
 */
function escaped(program: string): string {
  const written = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return program
    .replace(/String\.raw`(?:\$\{[^}]*\}|[^`])*`/g, (raw) =>
      raw.replace(OTHER, (unit) => `\${"${written(unit)}"}`),
    )
    .replace(OTHER, written);
}

const OTHER = /[^\0-\x7f]/g;

/** Packages that are bundled so far, by their package URL: in what Node.js runs, and in what browsers run. */
const bundled = { node: new Map<string, Dependency>(), page: new Map<string, Dependency>() };

/** Writes the licenses of bundled packages. Those of the page are without the packages that Node.js has, too. */
function licenseFiles(part: keyof typeof bundled): ReturnType<typeof license> {
  const output = (dependencies: Dependency[]): void => {
    for (const dependency of dependencies) bundled[part].set(componentOf(dependency).purl, dependency);
    const onlyPage = [...bundled.page].filter(([purl]) => !bundled.node.has(purl));
    mkdirSync('dist/page', { recursive: true });
    writeLicenses('dist/THIRD-PARTY-LICENSES.txt', [...bundled.node]);
    writeLicenses('dist/page/THIRD-PARTY-LICENSES.txt', onlyPage);
    writeSbom([...bundled.node, ...onlyPage]);
  };
  return license({ thirdParty: { output } });
}

function byUrl([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function writeLicenses(file: string, packages: [string, Dependency][]): void {
  const texts = packages.sort(byUrl).map(([, dependency]) => licenseText(dependency));
  writeFileSync(file, texts.join('\n\n---\n\n'));
}

/** Lists the packages that are bundled, which scanners don't find otherwise, in the format of CycloneDX. */
function writeSbom(packages: [string, Dependency][]): void {
  const components = packages.sort(byUrl).map(([, dependency]) => componentOf(dependency));
  const { name, version, license: expression } = JSON.parse(readFileSync('package.json', 'utf8'));
  const root = componentOf({ name, version, license: expression });
  const sbom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: root },
    components,
    dependencies: [{ ref: root.purl, dependsOn: components.map(({ purl }) => purl) }],
  };
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbom, undefined, 1)}\n`);
}

function componentOf({ name, version, license }: Pick<Dependency, 'name' | 'version' | 'license'>) {
  const [, group, ownName] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name ?? '') ?? [];
  const purl = `pkg:npm/${group === undefined ? '' : `${encodeURIComponent(group)}/`}${ownName}@${version}`;
  const licenses = license === null ? {} : { licenses: [{ expression: license }] };
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group && { group }),
    name: ownName,
    version,
    ...licenses,
    purl,
  };
}

/** Packages that are published without their license files. */
const MISSING_LICENSES: Readonly<Record<string, string>> = {
  saxes: 'scripts/licenses/saxes.txt',
  '@bufbuild/protobuf': 'scripts/licenses/bufbuild-protobuf.txt',
};

function licenseText(dependency: Dependency): string {
  const file = MISSING_LICENSES[dependency.name ?? ''];
  if (file === undefined || dependency.licenseText !== null) return dependency.text();
  return `${dependency.text()}\nLicense Text:\n===\n\n${readFileSync(file, 'utf8')}`;
}
