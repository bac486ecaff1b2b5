export interface JsonReplacements {
  /** Path of the JSON itself. */
  readonly path: string;
  /** The outermost names are not names of fields. */
  readonly isEvent: boolean;
  /** Replaces the text of a string or a number. */
  readonly text: (text: string, path: string) => string;
  /** Whether a string in an array names the next one, as in `rawHeaders` of Node. */
  readonly isHeader: (text: string) => boolean;
  readonly memberName: (name: string, path: string) => string;
  /** Replaces a whole value by the name of its field; `undefined` to search it. */
  readonly named: (name: string, json: string, path: string) => string | undefined;
  /** Whether {@link named} can replace a value. */
  readonly isNamed: (name: string) => boolean;
}

/** Numbers with fewer digits are no secrets. */
const MIN_DIGITS = 12;

/** Replaces values in valid JSON. Everything else stays unchanged. */
export function replaceInJson(json: string, replacements: JsonReplacements): string {
  return new JsonReplacer(json, replacements).run();
}

class JsonReplacer {
  readonly #json: string;
  readonly #replacements: JsonReplacements;
  #at = 0;
  #result = '';
  /** Everything before is in the result. */
  #from = 0;

  constructor(json: string, replacements: JsonReplacements) {
    this.#json = json;
    this.#replacements = replacements;
  }

  run(): string {
    this.#value(this.#replacements.path, 0);
    return this.#result + this.#json.slice(this.#from);
  }

  #value(path: string, depth: number): void {
    this.#skipSpace();
    const first = this.#json[this.#at];
    if (first === '{') this.#members(path, depth);
    else if (first === '[') this.#items(path, depth);
    else this.#replaceText(path);
  }

  #members(path: string, depth: number): void {
    this.#at++;
    let pairName: string | undefined;
    for (this.#skipSpace(); this.#json[this.#at] !== '}'; this.#skipComma()) {
      const start = this.#at;
      this.#at = this.#literalEnd();
      const name = decoded(this.#json.slice(start, this.#at));
      const newName = this.#replacements.memberName(name, path);
      if (newName !== name) this.#put(start, this.#at, JSON.stringify(newName));
      this.#skipSpace();
      this.#at++; // The colon.
      this.#skipSpace();
      const isFrame = this.#replacements.isEvent && depth === 0;
      const at = isFrame ? path : memberPath(path, name);
      const valueStart = this.#at;
      if (/^value$/i.test(name) && this.#replaceNamed(pairName ?? this.#nextPairName(), at)) continue;
      if (isFrame || !this.#replaceNamed(name, at)) this.#value(at, depth + 1);
      if (PAIR_NAME.test(name)) pairName = this.#stringFrom(valueStart);
    }
    this.#at++;
  }

  /** The name of `{ value: '…', name: 'Authorization' }`, with the value at the current position. */
  #nextPairName(): string {
    if (this.#json[this.#at] !== '"') return '';
    NEXT_PAIR_NAME.lastIndex = this.#literalEnd();
    const literal = NEXT_PAIR_NAME.exec(this.#json)?.[1];
    return literal === undefined ? '' : decoded(literal);
  }

  /** The string from `start` to the current position; empty for other values. */
  #stringFrom(start: number): string {
    return this.#json[start] === '"' ? decoded(this.#json.slice(start, this.#at)) : '';
  }

  #items(path: string, depth: number): void {
    this.#at++;
    this.#skipSpace();
    let header: string | undefined;
    for (let index = 0; this.#json[this.#at] !== ']'; index++) {
      const at = `${path}[${index}]`;
      const start = this.#at;
      const isString = this.#json[start] === '"';
      if (header === undefined || !isString || !this.#replaceNamed(header, at)) this.#value(at, depth + 1);
      const text = isString && header === undefined ? decoded(this.#json.slice(start, this.#at)) : '';
      header = text !== '' && this.#replacements.isHeader(text) ? text : undefined;
      this.#skipComma();
    }
    this.#at++;
  }

  #replaceNamed(name: string, path: string): boolean {
    // Finding the end of every value would take quadratic time in deep JSON.
    if (!this.#replacements.isNamed(name)) return false;
    const start = this.#at;
    const end = this.#valueEnd();
    const replacement = this.#replacements.named(name, this.#json.slice(start, end), path);
    if (replacement === undefined) {
      this.#at = start;
      return false;
    }
    this.#put(start, end, JSON.stringify(replacement));
    return true;
  }

  /** Replaces what a string or a long number contains. */
  #replaceText(path: string): void {
    const start = this.#at;
    const end = this.#literalEnd();
    const isString = this.#json[start] === '"';
    this.#at = end;
    if (!isString && end - start < MIN_DIGITS) return;
    const literal = this.#json.slice(start, end);
    const text = isString ? decoded(literal) : literal;
    const replaced = this.#replacements.text(text, path);
    if (replaced !== text) this.#put(start, end, JSON.stringify(replaced));
  }

  #put(start: number, end: number, json: string): void {
    this.#result += this.#json.slice(this.#from, start) + json;
    this.#from = end;
    this.#at = end;
  }

  /** Index after the string, number or literal at the current position. */
  #literalEnd(): number {
    if (this.#json[this.#at] !== '"') {
      LITERAL.lastIndex = this.#at;
      return this.#at + LITERAL.exec(this.#json)![0].length;
    }
    let end = this.#json.indexOf('"', this.#at + 1);
    while (isEscaped(this.#json, end)) end = this.#json.indexOf('"', end + 1);
    return end + 1;
  }

  /** Index after the value at the current position. */
  #valueEnd(): number {
    for (let depth = 0; ; ) {
      const first = this.#json[this.#at];
      if (first === '{' || first === '[') depth++;
      else if (first === '}' || first === ']') depth--;
      if (first === '"' || !'{}[],: \n\r\t'.includes(first!)) this.#at = this.#literalEnd();
      else this.#at++;
      if (depth === 0) return this.#at;
    }
  }

  #skipSpace(): void {
    while (this.#json.charCodeAt(this.#at) <= 0x20) this.#at++;
  }

  #skipComma(): void {
    this.#skipSpace();
    if (this.#json[this.#at] === ',') this.#at++;
    this.#skipSpace();
  }
}

const PAIR_NAME = /^(?:name|key)$/i;
const NEXT_PAIR_NAME = /\s*,\s*"(?:name|key)"\s*:\s*("(?:[^"\\]|\\.){0,100}")/iy;
const LITERAL = /[^\s,\]}]+/y;

function decoded(literal: string): string {
  return literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
}

function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isEscaped(json: string, at: number): boolean {
  let start = at;
  while (json[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}
