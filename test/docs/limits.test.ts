import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveConnectionOptions } from '../../src/core/http/node/connection-options.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { resolveSpoolOptions } from '../../src/ingest/spool/spool-options.ts';
import { resolveLocalServerOptions } from '../../src/server/local-server-options.ts';
import { withoutCodeBlocks, withoutGeneratedPart } from './markdown-blocks.ts';
import { OPTION_SECTIONS, type OptionSection } from './option-sections.ts';
import { rowsOf } from './options-page.ts';

const ROOT = join(import.meta.dirname, '../..');
/** These pages are generated from the code, or as a whole a list of what others describe. */
const REFERENCES = ['options.md', 'functions.md', 'commands.md'];
const SERVICE = { baseUrl: 'https://logscale.example.com', ingestToken: 't' };

/** Paragraphs, list items and table rows of the handwritten pages. */
const passages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md') && !REFERENCES.some((name) => page.endsWith(`/${name}`)))
  .flatMap((page) => {
    const text = withoutCodeBlocks(withoutGeneratedPart(readFileSync(join(ROOT, page), 'utf8')));
    return text.split(/\n(?=\n|\||- |\d+\. )/).map((passage) => ({ page, text: passage }));
  });

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const LONG = { ms: 'milliseconds', s: 'seconds', min: 'minutes' };

/** The forms in which a page can write a default in milliseconds, in bytes or as a count. */
function formsOf(name: string, value: number): string[] {
  const count = value.toLocaleString('en-US');
  if (name.endsWith('Ms')) {
    const units = [
      ['ms', 1],
      ['s', 1000],
      ['min', 60_000],
    ] as const;
    const forms = units.map(([unit, size]) => [value / size, unit] as const);
    const whole = forms.filter(([amount]) => Number.isInteger(amount));
    return [
      ...whole.map((form) => form.join(' ')),
      ...whole.filter(([, unit]) => unit !== 'ms').map(([amount, unit]) => `${WORDS[amount]} ${LONG[unit]}`),
    ];
  }
  if (!name.endsWith('Bytes')) return value < 100 ? [] : [count];
  const units = ['KiB', 'MiB', 'GiB'].map((unit, i) => [unit, value / 1024 ** (i + 1)] as const);
  const whole = units.filter(([, size]) => Number.isInteger(size)).map(([unit, size]) => `${size} ${unit}`);
  return [`${count} bytes`, ...whole];
}

const contains = (text: string, form: string): boolean =>
  new RegExp(`(?<![\\d,.])${form}(?![\\w,]\\d|\\w)`).test(text);

/** Every option with a number as its default, once for each value. */
const defaults = new Map(
  OPTION_SECTIONS.filter((entry): entry is OptionSection => typeof entry !== 'string')
    .flatMap((section) => rowsOf(section))
    .flatMap(({ name, fallback = '' }) => {
      const [digits] = /^\d[\d_]*(?!\w)/.exec(fallback) ?? [];
      const value = Number(digits?.replaceAll('_', ''));
      return digits === undefined ? [] : [[`${name}=${value}`, { name, value }] as const];
    }),
);

/** The first column and the values of the rows of a table that name an option. */
function limitsOf(page: string, heading: string): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const rows = section.split(/\n#+ /)[0]!.match(/^\|.*`.*$/gm) ?? [];
  // A name in several rows is the option of the first.
  return new Map(
    rows
      .toReversed()
      .flatMap((row) => [...row.matchAll(/`([\w.]+)`/g)].map((match) => [match[1]!, row] as const)),
  );
}

function expectDefaults(limits: Map<string, string>, options: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(options).filter(([key]) => names.includes(key))) {
    const row = limits.get(name) ?? limits.get(`spool.${name}`) ?? '';
    const forms = [...formsOf(name, value), String(value)];
    expect({ name, row, isRight: forms.some((form) => contains(row, form)) }).toEqual({
      name,
      row,
      isRight: true,
    });
  }
}

describe('Limits and defaults in the docs', () => {
  it('appear on one page each, beside the name of their option', () => {
    expect(defaults.size).toBeGreaterThan(40);
    const repeated = [...defaults.values()].flatMap(({ name, value }) => {
      const named = passages.filter(({ text }) => new RegExp(`\`(\\w+\\.)?${name}\``).test(text));
      const pages = named
        .filter(({ text }) => formsOf(name, value).some((form) => contains(text, form)))
        .map(({ page }) => page);
      const distinct = [...new Set(pages)];
      return distinct.length < 2 ? [] : [{ name, value, pages: distinct }];
    });
    expect(repeated).toEqual([]);
  });

  it('of delivery are those of the code', () => {
    const limits = new Map([
      ...limitsOf('transports.md', '## Limits'),
      ...limitsOf('transports.md', '## Queues'),
    ]);
    const names = [
      'maxEventBytes',
      'maxBatchRecords',
      'maxBatchBytes',
      'flushIntervalMs',
      'maxQueueBytes',
      'maxRequestsInFlight',
      'requestTimeoutMs',
      'minRetryDelayMs',
      'maxRetryDelayMs',
      'closeTimeoutMs',
    ];
    const { fullBatchRecords: maxBatchRecords, ...options } = resolveIngesterOptions(SERVICE);
    expectDefaults(limits, { ...options, maxBatchRecords }, names);
    expectDefaults(limits, resolveSpoolOptions('spool', { directory: 'd' })!, ['maxBytes']);
  });

  it.each([
    ['closeTimeoutMs', 9_000, '9 s maximum'],
    ['maxRequestsInFlight', 64, '64 maximum'],
  ])('of delivery have the maximum of the code: %s', (name, maximum, text) => {
    expect(limitsOf('transports.md', '## Limits').get(name)).toContain(text);
    expect(resolveIngesterOptions({ ...SERVICE, [name]: maximum })).toMatchObject({ [name]: maximum });
    expect(() => resolveIngesterOptions({ ...SERVICE, [name]: maximum + 1 })).toThrow(name);
  });

  it('of queries and of the local server are those of the code', () => {
    expectDefaults(limitsOf('querying.md', '## Limits'), resolveConnectionOptions('client', {}), [
      'timeoutMs',
    ]);
    expectDefaults(limitsOf('query-language.md', '## Limits'), resolveLocalServerOptions({}), [
      'queryTimeoutMs',
      'maxQueryBytes',
      'maxQueryGroups',
      'maxQueryRows',
    ]);
  });

  it('are found as a duration, as bytes and as a count', () => {
    expect(formsOf('closeTimeoutMs', 5_000)).toEqual(['5000 ms', '5 s', 'five seconds']);
    expect(formsOf('maxQueueBytes', 8 * 1024 ** 2)).toEqual(['8,388,608 bytes', '8192 KiB', '8 MiB']);
    expect(formsOf('maxBatchRecords', 5_000)).toEqual(['5,000']);
    expect(contains('for up to 5 s (`closeTimeoutMs`)', '5 s')).toBe(true);
    expect(contains('for 15 s, or 5 seconds', '5 s')).toBe(false);
  });
});

it.each([
  ['how often problems are reported on stderr', /every 30 s/],
  ['how many records fit into the queue', /280,000/],
  ['how much a program can be ahead of its worker', /16 MiB/],
  ['how long a page of events is', /pages of 200|200, newest first/],
  ['how many lines the page reads from files', /2,000,000, and 1 GiB/],
])('The docs say on one page %s', (_, number) => {
  expect(new Set(passages.filter(({ text }) => number.test(text)).map(({ page }) => page)).size).toBe(1);
});

/** Numbers and sizes that several limits happen to have. */
const SHARED = ['10,000', '50,000', '100,000', '200,000', '250,000', '1,000,000', '2,000,000'];
const SHARED_SIZES = ['8 MiB', '32 MiB', '1 GiB'];

it('Large numbers and sizes in the docs appear on one page each', () => {
  const pages = new Map<string, Set<string>>();
  const patterns = [
    /(?<![\d.,:])\d{2,3}(?:,\d{3})+(?![\d,]*\d)|\d(?:,\d{3}){2,}/g,
    /(?<![\d.,])\d[\d,.]* [KMG]iB\b/g,
  ];
  for (const { page, text } of passages) {
    for (const [number] of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) {
      pages.set(number, (pages.get(number) ?? new Set()).add(page));
    }
  }
  expect(pages.size).toBeGreaterThan(15);
  const known = [...SHARED, ...SHARED_SIZES];
  const repeated = [...pages].filter(([number, on]) => on.size > 1 && !known.includes(number));
  expect(repeated.map(([number, on]) => [number, ...on])).toEqual([]);
});
