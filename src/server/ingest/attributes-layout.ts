import { isMarkedNumber } from '../../engine/index.ts';
import { FieldLayout } from '../store/field-layout.ts';
import { SYSTEM_FIELDS } from './system-fields.ts';

/** Objects with more values are left to the code that enforces the service's limits. */
const MAX_FIELDS = 900;
const MAX_DEPTH = 200;
/** Number of cached layouts. */
const MAX_LAYOUTS = 1000;

/** The field of a value in a line, and where the value is, with its quotes. */
export type ValuePlace = readonly [name: string, start: number, end: number];

export class AttributesLayouts {
  readonly #known = new Map<string, FieldLayout>();
  readonly #isOfLines: boolean;

  /** @param isOfLines whether the objects are lines of loggers, whose numeric levels have labels */
  constructor(isOfLines = false) {
    this.#isOfLines = isOfLines;
  }

  /**
   * `undefined` unless each value of the object becomes a field, in the order of the text.
   *
   * @param places those of a line of text, which is read instead
   * @param columns of the text, if it is not logfmt
   */
  layoutOf(
    value: object | string,
    places: readonly ValuePlace[] = [],
    columns?: FieldLayout['columns'],
  ): FieldLayout | undefined {
    const builder = new LayoutBuilder();
    const { names, isString, pieces } = builder;
    const isLine = typeof value === 'string';
    if (
      !(isLine ? builder.addPlaces(value, places, columns !== undefined) : builder.add(undefined, value, 0))
    )
      return undefined;
    const key = pieces.join('\0');
    let layout = this.#known.get(key);
    if (layout === undefined) {
      if (this.#known.size >= MAX_LAYOUTS) this.#known.clear();
      layout = new FieldLayout({ names, isString, pieces }, this.#isOfLines, columns);
      this.#known.set(key, layout);
    }
    return layout;
  }
}

class LayoutBuilder {
  readonly names: string[] = [];
  readonly isString: boolean[] = [];
  readonly pieces: string[] = [''];
  readonly #known = new Set<string>();

  /** @returns false if the value has no layout */
  add(name: string | undefined, value: unknown, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (typeof value !== 'object' || value === null) return this.#addField(name!, value);
    const isArray = Array.isArray(value);
    let separator = isArray ? '[' : '{';
    for (const [key, member] of Object.entries(value)) {
      this.#write(isArray ? separator : `${separator}${JSON.stringify(key)}:`);
      const path = name === undefined ? key : isArray ? `${name}[${key}]` : `${name}.${key}`;
      if (!this.add(path, member, depth + 1)) return false;
      separator = ',';
    }
    this.#write(`${separator === ',' ? '' : separator}${isArray ? ']' : '}'}`);
    return true;
  }

  /** {@link add} for the values of a line. */
  addPlaces(line: string, places: readonly ValuePlace[], areColumns: boolean): boolean {
    let at = 0;
    for (const [name, start, end] of places) {
      this.#write(line.slice(at, start));
      const isText = !areColumns && line[start] === '"';
      if (!this.#addField(name, isText ? '"' : 0, areColumns)) return false;
      at = end;
    }
    this.#write(line.slice(at));
    return true;
  }

  #addField(name: string, value: unknown, isColumn = false): boolean {
    if (this.#known.size >= MAX_FIELDS || this.#known.has(name)) return false;
    if (name.startsWith('#') || name === '__proto__' || (SYSTEM_FIELDS.has(name) && !isColumn)) return false;
    const isText = typeof value === 'string' && !isMarkedNumber(value);
    this.#known.add(name);
    this.names.push(name);
    this.isString.push(isText);
    if (isText) this.#write('"');
    this.pieces.push(isText ? '"' : '');
    return true;
  }

  #write(text: string): void {
    this.pieces[this.pieces.length - 1] += text;
  }
}
