import { type Document, isMap, type Node, parseAllDocuments, visit, type YAMLMap } from 'yaml';
import { timeZoneOrUtc } from '../../../core/time-zone.ts';
import { YamlValue } from '../../../server/parser-tests/index.ts';
import { timeAt } from '../../output/flag-values.ts';

export type ExpectedRow = Readonly<Record<string, string>>;

/** A test of a query: events in, rows out. */
export interface QueryTest {
  readonly name: string;
  /** Line in the file, counted from 1. */
  readonly line: number;
  /** The document in the file, counted from 0, and where the test is in it. */
  readonly document: number;
  readonly path: readonly (string | number)[];
  /** Whether a query of the file is in the document of the test. */
  readonly isBeside: (offset: number) => boolean;
  /** Name of the query, if the file has several. */
  readonly query: string | undefined;
  readonly events: readonly TestEvent[];
  /** What the query must return; undefined to write the rows. */
  readonly expected: Expectation | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number | undefined;
  readonly timeZone: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly savedQueries: Readonly<Record<string, string>>;
}

/**
 * A line of text, which is JSON if the event is written as YAML, or the name of a file with events. Several words that end
 * like a file name may be either: they are a line if there is no such file.
 */
export type TestEvent = { readonly text: string } | EventFile;

interface EventFile {
  readonly file: string;
  readonly line: number;
  readonly text?: string;
}

/** The rows, their number, or whether there are any. */
export type Expectation =
  | { readonly rows: readonly ExpectedRow[] }
  | { readonly count: number }
  | { readonly isMatch: boolean };

const SETTINGS = ['query', 'start', 'end', 'now', 'timeZone', 'params', 'files', 'savedQueries'];
const MEMBERS = ['name', 'events', 'rows', 'count', 'matches', 'ignores', ...SETTINGS];

/** Reads the tests in a `.test.yaml` file, or beside the query of another YAML file. @throws YamlError */
export function readQueryTests(text: string, isTestFile: boolean): readonly QueryTest[] {
  const documents = YamlValue.parseAll(text);
  const queryTests = documents.flatMap(({ root, start, end }, document) => {
    if (root.isAbsent && documents.length > 1) return [];
    const inTest = isTestFile && root.entries().find(([name]) => MEMBERS.includes(name));
    if (inTest) throw inTest[1].error('belongs in a test, which is an item of the list "tests:"');
    if (isTestFile) root.requireMembers(['tests']);
    const tests = root.get('tests');
    const isBeside = (offset: number): boolean => isTestFile || (start <= offset && offset < end);
    const place = { document, isBeside };
    if (tests.isAbsent) return [];
    if (!Array.isArray(tests.plain())) return testsOf(tests, 'test', { ...place, path: ['tests'] });
    return tests
      .items()
      .flatMap((test, index) => testsOf(test, `test ${index + 1}`, { ...place, path: ['tests', index] }));
  });
  const hasTests = documents.some(({ root }) => !root.isAbsent && !root.get('tests').isAbsent);
  if (hasTests) return queryTests;
  throw documents[0]!.root.error('has no tests. Add "tests:" with a list of tests');
}

type Place = Pick<QueryTest, 'document' | 'isBeside' | 'path'>;

/** The test of a mapping; or one for each member of `matches` and `ignores`. */
function testsOf(value: YamlValue, defaultName: string, place: Place): readonly QueryTest[] {
  value.requireMembers(MEMBERS);
  const [rows, count] = [value.get('rows'), value.get('count')];
  const name = value.get('name').optionalText() ?? defaultName;
  const settings = {
    ...place,
    query: value.get('query').optionalText(),
    start: value.get('start').optionalText(),
    end: value.get('end').optionalText(),
    now: nowOf(value.get('now')),
    timeZone: value.get('timeZone').optionalText(),
    params: optionalTexts(value.get('params')),
    files: optionalTexts(value.get('files')),
    savedQueries: optionalTexts(value.get('savedQueries')),
  };
  const matching = (['matches', 'ignores'] as const).flatMap((member) =>
    value
      .get(member)
      .items()
      .map((item, index) => ({
        ...settings,
        name: `${name}: ${member} ${index + 1}`,
        line: item.line,
        // An event, a list of events that belong together, or the name of a file.
        events: Array.isArray(item.plain()) ? item.items().map(eventOf) : [eventOf(item)],
        expected: { isMatch: member === 'matches' },
      })),
  );
  const hasRows = !rows.isAbsent || !count.isAbsent || !value.get('events').isAbsent;
  if (!hasRows && matching.length > 0) return matching;
  if (!rows.isAbsent && !count.isAbsent) throw count.error('must be omitted if there are rows');
  if (!/^\d+$/.test(count.optionalText() ?? '0'))
    throw count.error(`must be a number of rows (got "${count.text()}")`);
  const counted = count.isAbsent ? undefined : { count: Number(count.text()) };
  const expected = rows.isAbsent ? counted : { rows: rows.items().map(textsOf) };
  const events = value.get('events').items().map(eventOf);
  return [{ ...settings, name, line: value.line, events, expected }, ...matching];
}

/** Whether a test fails for a query that returns nothing. */
export function expectsRows({ expected }: QueryTest): boolean {
  if (expected === undefined || 'isMatch' in expected) return expected?.isMatch !== false;
  return 'count' in expected ? expected.count > 0 : expected.rows.length > 0;
}

function eventOf(value: YamlValue): TestEvent {
  if (!value.isText) {
    value.entries();
    // A date is its midnight.
    const text = JSON.stringify(value.plain()).replace(/("@timestamp":"\d{4}-\d\d-\d\d)"/, '$1T00:00:00"');
    return { text };
  }
  const file = value.text();
  if (/^[^{"\n]+\.(?:ndjson|jsonl|json|log|txt)$/.test(file)) {
    const isCertain = /^\.\/|^\S+$/.test(file);
    return { file, line: value.line, ...(!isCertain && { text: file }) };
  }
  const text = file.trimEnd();
  if (!text.includes('\n')) return { text };
  throw value.error('must be one line. Write a mapping, such as "message: |", for text of several lines');
}

function optionalTexts(value: YamlValue): Readonly<Record<string, string>> {
  return value.isAbsent ? {} : textsOf(value);
}

function textsOf(mapping: YamlValue): Readonly<Record<string, string>> {
  return Object.fromEntries(mapping.entries().map(([name, value]) => [name, value.text()]));
}

function nowOf(value: YamlValue): number | undefined {
  const text = value.optionalText();
  if (text === undefined) return undefined;
  const epochMs = timeAt(text, timeZoneOrUtc('UTC'));
  if (typeof epochMs === 'number') return epochMs;
  throw value.error(`must be a time such as 2026-02-03T09:00:00Z (got "${text}")`);
}

/** Writes expected rows; everything else stays as it is. Rows with an anchor are left, and their tests returned. */
export function withRows(text: string, changes: ReadonlyMap<QueryTest, readonly ExpectedRow[]>) {
  const documents = parseAllDocuments(text, { schema: 'failsafe' }) as Document.Parsed[];
  const anchors: number[] = [];
  const Value = (_: unknown, { anchor, range }: Node & { anchor?: string }) =>
    void (anchor && anchors.push(range![0]));
  for (const document of documents) visit(document, { Value });
  const places = [...changes.keys()].flatMap((test) => {
    const map = documents[test.document]!.getIn(test.path, true);
    const place = isMap<Node, Node>(map) && { test, map, ...placeOfRows(map, text) };
    return !place || anchors.some((at) => place.start <= at && at < place.end) ? [] : [place];
  });
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  let result = text;
  for (const { test, map, start, end } of places.toReversed()) {
    const rows = changes.get(test)!;
    const column = map.range![0] - text.lastIndexOf('\n', map.range![0]) - 1;
    const written = map.flow === true ? `rows: [${rows.map(flowText).join(', ')}]` : blockText(rows, column);
    const separator = start < end ? '' : map.flow === true ? ', ' : `\n${' '.repeat(column)}`;
    result = result.slice(0, start) + (separator + written).replaceAll('\n', newline) + result.slice(end);
  }
  const written = new Set(places.map(({ test }) => test));
  return { text: result, left: [...changes.keys()].filter((test) => !written.has(test)) };
}

/** The member `rows` of a test, or the end of its last member. */
function placeOfRows({ items }: YAMLMap<Node, Node>, text: string): { start: number; end: number } {
  const rows = items.find(({ key }) => String(key) === 'rows');
  const { key, value } = rows ?? items.at(-1)!;
  const end = text.slice(0, (value ?? key).range![1]).trimEnd().length;
  return { start: rows === undefined ? end : key.range![0], end };
}

function blockText(rows: readonly ExpectedRow[], column: number): string {
  if (rows.length === 0) return 'rows: []';
  return ['rows:', ...rows.map((row) => `${' '.repeat(column + 2)}- ${flowText(row)}`)].join('\n');
}

function flowText(row: ExpectedRow): string {
  const members = Object.entries(row).map(([name, value]) => `${scalarText(name)}: ${scalarText(value)}`);
  return `{ ${members.join(', ')} }`;
}

/** A string as YAML. JSON strings are YAML, too. */
function scalarText(text: string): string {
  return /^\w([\w ./+%-]*\w)?$/.test(text) ? text : JSON.stringify(text);
}
