import { isMarkedNumber } from '../../engine/index.ts';
import { FieldLayout } from '../store/field-layout.ts';
import { SYSTEM_FIELDS } from './system-fields.ts';

/** Objects with more values are left to the code that enforces the service's limits. */
const MAX_FIELDS = 900;
const MAX_DEPTH = 200;
/** Number of cached layouts. */
const MAX_LAYOUTS = 1000;

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
   * @param pairs those of a line of logfmt, which is read instead
   */
  layoutOf(value: object | string, pairs: readonly RegExpExecArray[] = []): FieldLayout | undefined {
    const builder = new LayoutBuilder();
    const { names, isString, pieces } = builder;
    if (!(typeof value === 'string' ? builder.addPairs(value, pairs) : builder.add(undefined, value, 0)))
      return undefined;
    const key = pieces.join('\0');
    let layout = this.#known.get(key);
    if (layout === undefined) {
      if (this.#known.size >= MAX_LAYOUTS) this.#known.clear();
      layout = new FieldLayout({ names, isString, pieces }, this.#isOfLines);
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

  /** {@link add} for the pairs of a line. */
  addPairs(line: string, matches: readonly RegExpExecArray[]): boolean {
    let at = 0;
    for (const { 0: pair, 1: name, 2: value, index } of matches) {
      const end = index + pair.length;
      this.#write(line.slice(at, end - value!.length));
      if (!this.#addField(name!, value!.startsWith('"') ? value : 0)) return false;
      at = end;
    }
    return at === line.length;
  }

  #addField(name: string, value: unknown): boolean {
    if (this.#known.size >= MAX_FIELDS || this.#known.has(name)) return false;
    if (name.startsWith('#') || name === '__proto__' || SYSTEM_FIELDS.has(name)) return false;
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
