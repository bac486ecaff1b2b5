import { type Node, parseDocument, type YAMLMap } from 'yaml';
import { YamlValue } from '../../../server/parser-tests/index.ts';

export type ExpectedRow = Readonly<Record<string, string>>;

/** A test of a query: events in, rows out. */
export interface QueryTest {
  readonly name: string;
  /** Line in the file, counted from 1. */
  readonly line: number;
  /** Lines of text; events in YAML are JSON. */
  readonly events: readonly string[];
  /** Expected rows; undefined to write them. */
  readonly rows: readonly ExpectedRow[] | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number | undefined;
  readonly timeZone: string | undefined;
  readonly params: Readonly<Record<string, string>>;
}

const MEMBERS = ['name', 'events', 'rows', 'start', 'end', 'now', 'timeZone', 'params'];

/**
 * Reads the tests in a `.test.yaml` file.
 *
 * @throws YamlError
 */
export function readQueryTests(text: string): readonly QueryTest[] {
  const root = YamlValue.parse(text);
  root.requireMembers(['tests']);
  const tests = root.get('tests');
  if (tests.isAbsent) throw root.error('has no tests. Add "tests:" with a list of tests');
  return tests.items().map(testOf);
}

function testOf(value: YamlValue, index: number): QueryTest {
  value.requireMembers(MEMBERS);
  const rows = value.get('rows');
  return {
    name: value.get('name').optionalText() ?? `test ${index + 1}`,
    line: value.line,
    events: value.get('events').items().map(lineOf),
    rows: rows.isAbsent ? undefined : rows.items().map(textsOf),
    start: value.get('start').optionalText(),
    end: value.get('end').optionalText(),
    now: nowOf(value.get('now')),
    timeZone: value.get('timeZone').optionalText(),
    params: value.get('params').isAbsent ? {} : textsOf(value.get('params')),
  };
}

function lineOf(event: YamlValue): string {
  if (!event.isText) {
    event.entries();
    return JSON.stringify(event.plain());
  }
  const text = event.text().trimEnd();
  if (!text.includes('\n')) return text;
  throw event.error('must be one line. Write a mapping, such as "message: |", for text of several lines');
}

function textsOf(mapping: YamlValue): Readonly<Record<string, string>> {
  return Object.fromEntries(mapping.entries().map(([name, value]) => [name, value.text()]));
}

function nowOf(value: YamlValue): number | undefined {
  const text = value.optionalText();
  if (text === undefined) return undefined;
  const epochMs = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isFinite(epochMs)) return epochMs;
  throw value.error(`must be a time such as 2026-02-03T09:00:00Z (got "${text}")`);
}

/** The file with other expected rows; everything else stays as it is. */
export function withRows(text: string, changes: ReadonlyMap<number, readonly ExpectedRow[]>): string {
  const document = parseDocument(text, { schema: 'failsafe' });
  let result = text;
  for (const [index, rows] of [...changes].sort(([a], [b]) => b - a)) {
    const test = document.getIn(['tests', index], true) as YAMLMap<Node, Node>;
    const { start, end } = placeOfRows(test, text);
    const column = test.range![0] - text.lastIndexOf('\n', test.range![0]) - 1;
    const written = test.flow === true ? `rows: [${rows.map(flowText).join(', ')}]` : blockText(rows, column);
    const separator = start < end ? '' : test.flow === true ? ', ' : `\n${' '.repeat(column)}`;
    result = result.slice(0, start) + separator + written + result.slice(end);
  }
  return result;
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
