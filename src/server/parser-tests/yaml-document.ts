import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { meantName } from '../../core/nearest-name.ts';

type Path = readonly (string | number)[];

/** A mistake in a YAML file. */
export class YamlError extends Error {
  /** Line of the mistake, counted from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = 'YamlError';
    this.line = line;
  }
}

/** A document in a YAML file, with its place. */
export interface YamlDocument {
  readonly root: YamlValue;
  readonly start: number;
  readonly end: number;
}

/** A value in a YAML file. All scalars are strings, like field values: `1.10` is not a number. */
export class YamlValue {
  readonly #value: unknown;
  readonly #path: Path;
  readonly #lineOf: (path: Path) => number;

  private constructor(value: unknown, path: Path, lineOf: (path: Path) => number) {
    this.#value = value;
    this.#path = path;
    this.#lineOf = lineOf;
  }

  /** @throws YamlError if the text is not YAML, or has several documents */
  static parse(text: string): YamlValue {
    const [first, second] = YamlValue.parseAll(text);
    if (second === undefined) return first!.root;
    throw new YamlError('The file has several documents. Write each to a file of its own.', second.root.line);
  }

  /** The documents in a file, at least one. @throws YamlError if the text is not YAML */
  static parseAll(text: string): readonly YamlDocument[] {
    const lineCounter = new LineCounter();
    const parsed = parseAllDocuments(text, { schema: 'failsafe', lineCounter, prettyErrors: false });
    if ('empty' in parsed) return [{ root: new YamlValue(undefined, [], () => 1), start: 0, end: 0 }];
    return parsed.map((document: Document.Parsed) => ({
      root: YamlValue.#rootOf(document, lineCounter),
      start: document.range[0],
      end: document.range[2],
    }));
  }

  static #rootOf(document: Document.Parsed, lineCounter: LineCounter): YamlValue {
    const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
    const [error] = document.errors;
    if (error !== undefined)
      throw new YamlError(`The file is not YAML: ${error.message}.`, lineAt(error.pos[0]));
    const lineOf = (path: Path): number => {
      const node = document.getIn(path, true) as { range?: readonly number[] | null } | undefined;
      return lineAt(node?.range?.[0] ?? 0);
    };
    try {
      return new YamlValue(document.toJS(), [], lineOf);
    } catch (problem) {
      // Unknown aliases, and those that repeat too much.
      throw new YamlError(`The file is not YAML: ${(problem as Error).message}.`, lineAt(document.range[0]));
    }
  }

  /** Line in the file, counted from 1. */
  get line(): number {
    return this.#lineOf(this.#path);
  }

  /** True if the member is missing or has no value. */
  get isAbsent(): boolean {
    return this.#value === undefined || this.#value === null || this.#value === '';
  }

  get isText(): boolean {
    return typeof this.#value === 'string';
  }

  get(name: string): YamlValue {
    return this.#below(name, Object.hasOwn(this.#members(), name) ? this.#members()[name] : undefined);
  }

  /** Names and values of a mapping. */
  entries(): readonly (readonly [string, YamlValue])[] {
    return Object.entries(this.#members()).map(([name, value]) => [name, this.#below(name, value)]);
  }

  /** Items of a list; none if the member is absent. */
  items(): readonly YamlValue[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.#value)) throw this.error('must be a list: each item starts with "- "');
    return this.#value.map((item, index) => this.#below(index, item));
  }

  /** The string, which may be empty. */
  text(): string {
    if (typeof this.#value === 'string') return this.#value;
    if (this.#value === undefined) throw this.error('is missing');
    throw this.error(`must be a string (got ${Array.isArray(this.#value) ? 'a list' : 'a mapping'})`);
  }

  optionalText(): string | undefined {
    return this.isAbsent ? undefined : this.text();
  }

  /** The value, including nested lists and mappings. */
  plain(): unknown {
    return this.#value;
  }

  /** @throws YamlError if there are other members */
  requireMembers(known: readonly string[]): void {
    for (const [name, value] of this.entries()) {
      if (known.includes(name)) continue;
      throw value.error(`is unknown. ${meantName(name, known, `Known members: ${known.join(', ')}`)}`);
    }
  }

  error(problem: string): YamlError {
    const place = this.#path
      .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
      .join('');
    const parent = this.#lineOf(this.#value === undefined ? this.#path.slice(0, -1) : this.#path);
    return new YamlError(
      `${place === '' ? 'The file' : place} ${problem}${/[.?]$/.test(problem) ? '' : '.'}`,
      parent,
    );
  }

  #members(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
    throw this.error(`must be a mapping with "name: value" lines`);
  }

  #below(step: string | number, value: unknown): YamlValue {
    return new YamlValue(value, [...this.#path, step], this.#lineOf);
  }
}
