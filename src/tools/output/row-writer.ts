import { fieldHints } from '../../core/field-hints.ts';
import { withNumbers } from '../../core/number-columns.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import { createColors } from './colors.ts';
import { usageFailure } from './command-failure.ts';
import { highlighted } from './highlight.ts';
import { onlyColumns } from './in-columns.ts';
import type { OutputFlags, OutputName, OutputOptions } from './output-flags.ts';
import type { Row, RowFormat, RowShape, Surface } from './row-format.ts';
import { closePager, openPager, writeNote, writeOutput } from './standard-output.ts';

/** Rows per write to stdout. */
const ROWS_PER_WRITE = 500;

/** Writes rows to stdout in the format set by the flags. */
export class RowWriter {
  readonly #flags: OutputOptions;
  readonly #highlight: readonly RegExp[];
  readonly #name: OutputName;
  readonly surface: Surface;
  #format: RowFormat | undefined;
  /** Columns that are numbers in JSON. */
  #numbers: readonly string[];
  /** Number of rows written. */
  written = 0;
  /** Fields of the rows, until all requested ones were found. */
  readonly #found = new Set<string>();
  #missing: readonly string[];

  /**
   * @param highlight patterns to highlight if colors are on.
   * @throws CommandFailure for conflicting flags.
   */
  constructor(flags: OutputOptions, highlight: readonly RegExp[] = []) {
    this.#flags = flags;
    this.#highlight = highlight;
    this.#name = outputName(flags);
    this.surface = surfaceOf(flags);
    this.#numbers = flags.numberColumns ?? [];
    this.#missing = flags.fields ?? [];
  }

  get isJson(): boolean {
    return /json/.test(this.#name);
  }

  /** Whether rows are formatted for a person at a terminal. */
  get isForPeople(): boolean {
    return this.surface.isTerminal && (this.#name === 'table' || this.#name === 'pretty');
  }

  /** Call once, before the first row. */
  async begin(shape: RowShape): Promise<void> {
    const columns = this.#flags.fields ?? shape.columns;
    if (this.#flags.numbers === true) this.#numbers = [...(shape.numbers ?? [])];
    const { template = '' } = this.#flags;
    this.#format = await FORMATS[this.#name]({ ...shape, columns }, this.surface, template);
    this.#missing = this.#format.fields ?? this.#missing;
  }

  /** Sends the rows to a pager, if stdout is a terminal and a pager is set. Call before the first row. */
  page({ atEnd = false } = {}): void {
    if (this.#flags.pager !== false) openPager({ atEnd });
  }

  async write(rows: readonly Row[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_PER_WRITE) {
      const slice = rows.slice(from, from + ROWS_PER_WRITE);
      this.written += slice.length;
      this.#search(slice);
      const text = this.#begun.rows(this.chosen(slice));
      const { isColorSupported } = this.surface.colors;
      await writeOutput(isColorSupported ? highlighted(text, this.#highlight) : text);
    }
  }

  /** Writes the rest. Waits until the user quits the pager, if there is one. */
  async end(): Promise<void> {
    for (const text of this.#begun.end()) await writeOutput(text);
    await closePager();
    if (this.written === 0) return;
    for (const hint of fieldHints(this.#missing, [...this.#found], 'row')) this.surface.warn(hint);
  }

  #search(rows: readonly Row[]): void {
    if (this.#missing.length === 0) return;
    for (const name of fieldNames(rows)) this.#found.add(name);
    this.#missing = this.#missing.filter((name) => !this.#found.has(name));
  }

  /** Formats a complete result without writing it. */
  async textOf(rows: readonly Row[], shape: RowShape): Promise<string> {
    await this.begin(shape);
    return this.#begun.rows(this.chosen(rows)) + [...this.#begun.end()].join('');
  }

  /** The rows with the requested fields; a template selects its fields itself. */
  chosen(rows: readonly Row[]): readonly Row[] {
    const { fields } = this.#flags;
    const typed = this.isJson ? rows.map((row) => withNumbers(row, this.#numbers)) : rows;
    const isWhole = fields === undefined || this.#name === 'template';
    return isWhole ? typed : typed.map((row) => onlyColumns(row, fields));
  }

  get #begun(): RowFormat {
    if (this.#format === undefined) throw new TypeError('Call begin() before the first row.');
    return this.#format;
  }
}

/** Writes a complete list of rows, and reports an empty one on stderr. */
export async function writeList(
  rows: readonly Row[],
  columns: readonly string[],
  flags: OutputFlags,
): Promise<void> {
  const writer = await writeRows(rows, columns, flags);
  if (rows.length === 0) writer.surface.warn('the list is empty.');
}

/** Writes all rows of a result. */
export async function writeRows(
  rows: readonly Row[],
  columns: readonly string[],
  flags: OutputFlags,
): Promise<RowWriter> {
  const writer = new RowWriter(flags);
  await writer.begin({ isAggregate: true, columns, isEndless: false });
  if (rows.length > 0) writer.page();
  await writer.write(rows);
  await writer.end();
  return writer;
}

function outputName({ output, json, template }: OutputFlags): OutputName {
  if (json === true && output !== undefined && output !== 'json') {
    throw usageFailure(`--json and --output ${output} can't be combined; pass only one.`);
  }
  if (template !== undefined && (json === true || (output !== undefined && output !== 'template'))) {
    throw usageFailure("--template can't be combined with --output or --json.");
  }
  if (output === 'template' && template === undefined) {
    throw usageFailure("--output template requires --template, such as --template '{@timestamp} {msg}'.");
  }
  if (template !== undefined) return 'template';
  if (json === true) return 'json';
  return output ?? (process.stdout.isTTY ? 'table' : 'ndjson');
}

export function surfaceOf(flags: OutputFlags, stream: NodeJS.WriteStream = process.stdout): Surface {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    width: isTerminal ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    colors: createColors(isTerminal, flags.color),
    timeZone: flags.timezone,
    draws: isTerminal && flags.chart !== false,
    warn: (message) => {
      if (flags.quiet !== true) writeNote(`logclient: ${message}`);
    },
  };
}

/** Formats, loaded on demand. */
const FORMATS: Readonly<
  Record<OutputName, (shape: RowShape, surface: Surface, template: string) => Promise<RowFormat>>
> = {
  table: async (shape, surface) => (await import('./table.ts')).tableFormat(shape, surface),
  pretty: async (shape, surface) => (await import('./pretty.ts')).prettyFormat(shape, surface),
  raw: async (shape, surface) => (await import('./raw.ts')).rawFormat(shape, surface),
  ndjson: async (shape, surface) => (await import('./json.ts')).ndjsonFormat(shape, surface),
  jsonl: async (shape, surface) => (await import('./json.ts')).ndjsonFormat(shape, surface),
  json: async (shape, surface) => (await import('./json.ts')).jsonFormat(shape, surface),
  csv: async (shape, surface) => (await import('./csv.ts')).csvFormat(shape, surface),
  logfmt: async (shape, surface) => (await import('./logfmt.ts')).logfmtFormat(shape, surface),
  template: async (_, surface, template) => (await import('./template.ts')).templateFormat(template, surface),
};
