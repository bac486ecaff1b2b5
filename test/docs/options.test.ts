import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveTailOptions } from '../../src/client/tail/tail-options.ts';
import { resolveConnectionOptions } from '../../src/core/http/node/connection-options.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { resolveSpoolOptions } from '../../src/ingest/spool/spool-options.ts';
import { resolveLineQueryOptions } from '../../src/server/line-query/line-query-options.ts';
import { resolveLocalServerOptions } from '../../src/server/local-server-options.ts';
import { resolveNgsiemOptions } from '../../src/server/ngsiem/ngsiem-options.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { OptionTypes } from './option-types.ts';
import { optionsPage, rowsOf } from './options-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/options.md');
/** The text above this line is handwritten. */
const MARKER = '<!-- Below: npm run docs:options -->';
/** Everything that is published; programs and workers export no types. */
const ENTRIES =
  readFileSync(join(ROOT, 'tsdown.config.ts'), 'utf8').match(/\b(?:src|transports)\/[\w/-]+\.ts\b/g) ?? [];
/** Exported types of options without their own table, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  PinoStreamOptions: 'those of the ingester',
  NgsiemServerOptions: 'those of startLocalServer and ngsiem',
  ConnectionOptions: 'part of those of LogClient',
  LiveQueryOptions: 'those of watch',
  RetentionOptions: 'part of those of createRepository',
  WebCallerOptions: 'for operations that the client has no method for',
};

const sections = OPTION_SECTIONS.filter((entry): entry is OptionSection => typeof entry !== 'string');
const rows = sections.flatMap((section) =>
  rowsOf(section).map((row) => ({ section: section.title, ...row })),
);

/** The value at the start of a default; undefined if there is none. */
function defaultValue(fallback: string): unknown {
  const [number] = /^\d[\d_]*(?!\w)/.exec(fallback) ?? [];
  if (number !== undefined) return Number(number.replaceAll('_', ''));
  const [list] = /^\['[^\]]*'\]/.exec(fallback) ?? [];
  if (list !== undefined) return JSON.parse(list.replaceAll("'", '"'));
  const [, text] = /^'([^']*)'/.exec(fallback) ?? [];
  return text ?? { true: true, false: false }[fallback];
}

/** The defaults with a value, by option. */
function defaultsOf(file: string, type: string): Record<string, unknown> {
  const members = new OptionTypes().membersOf(file, type);
  const pairs = members.map(({ name, fallback = '' }) => [name, defaultValue(fallback)]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

function exportsOf(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return (text.match(/^export (type )?\{[^}]*\}/gm) ?? []).join('\n');
}

/** The code of a folder, without its docstrings. */
function codeBeside(file: string): string {
  const folder = join(ROOT, dirname(file));
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return texts.join('').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
}

describe('docs/options.md', () => {
  it('matches the docstrings', async () => {
    const [handWritten = ''] = readFileSync(PAGE, 'utf8').split(MARKER);
    await expect(`${handWritten}${MARKER}\n\n${optionsPage()}\n`).toMatchFileSnapshot(PAGE);
  });

  it('covers the entry points in tsdown.config.ts', () => {
    expect(ENTRIES).toContain('src/index.ts');
    expect(ENTRIES.length).toBeGreaterThan(8);
  });

  it('has a table for every exported options type', () => {
    const named = ENTRIES.flatMap((file) => exportsOf(file).match(/\b[A-Z]\w+Options\b/g) ?? []);
    const shown = new Set(sections.map(({ of }) => of[1]));
    expect(new Set(named).size).toBeGreaterThan(30);
    expect([...new Set(named)].filter((name) => !shown.has(name) && !(name in ELSEWHERE))).toEqual([]);
  });

  it('describes every option', () => {
    expect(rows.length).toBeGreaterThan(150);
    expect(rows.filter(({ meaning }) => meaning === '')).toEqual([]);
  });
});

describe('Defaults in docstrings', () => {
  it('match resolveIngesterOptions()', () => {
    const told = defaultsOf('src/ingest/options.ts', 'IngesterOptions');
    expect(Object.keys(told).length).toBeGreaterThan(10);
    const resolved = resolveIngesterOptions({ baseUrl: 'https://logscale.example.com', ingestToken: 't' });
    expect(resolved).toMatchObject(told);
  });

  it('match resolveSpoolOptions()', () => {
    const told = defaultsOf('src/ingest/spool/spool-options.ts', 'SpoolOptions');
    expect(told).toEqual({ maxBytes: 1024 ** 3, fsync: 'interval' });
    expect(resolveSpoolOptions('spool', { directory: 'd' })).toMatchObject(told);
  });

  it('match resolveConnectionOptions() and resolveTailOptions()', () => {
    const connection = defaultsOf('src/core/http/node/connection-options.ts', 'ConnectionOptions');
    expect(connection).toEqual({ timeoutMs: 30_000 });
    expect(resolveConnectionOptions('client', {})).toMatchObject(connection);
    const { overlapMs } = defaultsOf('src/client/tail/tail-options.ts', 'TailOptions');
    expect(resolveTailOptions({}).overlapMs).toBe(overlapMs);
  });

  it('match resolveLineQueryOptions()', () => {
    const told = defaultsOf('src/server/line-query/line-query-options.ts', 'LineQueryOptions');
    expect(Object.keys(told)).toEqual(['timeZone', 'maxBytes', 'maxCpuMs', 'maxCpuMsPerLine']);
    expect(resolveLineQueryOptions({})).toMatchObject(told);
  });

  it('match resolveLocalServerOptions() and resolveNgsiemOptions()', () => {
    const told = defaultsOf('src/server/local-server-options.ts', 'LocalServerOptions');
    expect(Object.keys(told).length).toBeGreaterThan(14);
    expect(resolveLocalServerOptions({})).toMatchObject(told);
    const ngsiem = defaultsOf('src/server/ngsiem/ngsiem-options.ts', 'NgsiemOptions');
    expect(Object.keys(ngsiem)).toEqual(['tokenLifetimeMs', 'rateLimit', 'region']);
    expect(resolveNgsiemOptions(true)).toMatchObject(ngsiem);
  });

  it('appear as numbers in the code of their folder', () => {
    const missing = rows.filter(({ file, fallback = '' }) => {
      const [number] = /^\d[\d_]{3,}/.exec(fallback) ?? [];
      const isTested = /ingester|spool|local-server-options|ngsiem-options|line-query/.test(file);
      return number !== undefined && !isTested && !codeBeside(file).includes(number);
    });
    expect(missing.map(({ section, name, fallback }) => [section, name, fallback])).toEqual([]);
  });
});
