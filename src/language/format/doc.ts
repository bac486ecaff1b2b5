/** Text with optional line breaks. */
export type Doc =
  | string
  | readonly Doc[]
  /** `line`: a space or a newline. `soft`: nothing or a newline. `comment`: before `hard`; its length does not count. */
  | { readonly kind: 'line' | 'soft' | 'hard' | 'blank' | 'space'; readonly comment?: string }
  | { readonly kind: 'group'; readonly content: Doc; readonly isBroken: boolean; readonly endsLine: boolean }
  | { readonly kind: 'indent'; readonly content: Doc }
  | { readonly kind: 'ifBroken'; readonly content: Doc };

/** A space, or a newline if the group does not fit on its line. */
export const line: Doc = { kind: 'line' };
/** Nothing, or a newline if the group does not fit on its line. */
export const softLine: Doc = { kind: 'soft' };
/** A newline. The groups around it are broken. */
export const hardLine: Doc = { kind: 'hard' };
/** An empty line. */
export const blankLine: Doc = { kind: 'blank' };
/** A space, but none at the start of a line. */
export const space: Doc = { kind: 'space' };

/** Text on one line if it fits, with a comment at its end; otherwise, all its line breaks are newlines. */
export function group(content: Doc, isBroken = false): Doc {
  const endsLine = hasNewline(content, false);
  return { kind: 'group', content, isBroken: isBroken || hasNewline(content, true), endsLine };
}

export function indent(content: Doc): Doc {
  return { kind: 'indent', content };
}

/** Only in a broken group. */
export function ifBroken(content: Doc): Doc {
  return { kind: 'ifBroken', content };
}

/** Whether a part of a group has a newline. One at the end of the group is not in it. */
function hasNewline(doc: Doc, isLast: boolean): boolean {
  if (typeof doc === 'string') return doc.includes('\n');
  if (!('kind' in doc)) {
    const last = doc.findLastIndex((part) => part !== '' && (!Array.isArray(part) || part.length > 0));
    return doc.some((part, place) => hasNewline(part, isLast && place === last));
  }
  if (doc.kind === 'group') return doc.isBroken || (doc.endsLine && !isLast);
  if (doc.kind === 'indent') return hasNewline(doc.content, isLast);
  return doc.kind === 'blank' || (doc.kind === 'hard' && !isLast);
}

interface Command {
  readonly indentation: number;
  readonly isBroken: boolean;
  readonly doc: Doc;
}

const INDENT = 2;

/** Prints with at most `width` characters per line, where possible. */
export function printDoc(doc: Doc, width: number): string {
  const output = new Output();
  const commands: Command[] = [{ indentation: 0, isBroken: true, doc }];
  for (let command = commands.pop(); command !== undefined; command = commands.pop()) {
    const { indentation, isBroken, doc: current } = command;
    if (typeof current === 'string') output.write(current);
    else if (!('kind' in current)) {
      for (const part of current.toReversed()) commands.push({ ...command, doc: part });
    } else if (current.kind === 'group') {
      const flat = { indentation, isBroken: false, doc: current.content };
      const fits =
        !current.isBroken && widthOf(flat, commands, width - output.column) <= width - output.column;
      commands.push(fits ? flat : { ...flat, isBroken: true });
    } else if (current.kind === 'indent') {
      commands.push({ ...command, indentation: indentation + INDENT, doc: current.content });
    } else if (current.kind === 'ifBroken') {
      if (isBroken) commands.push({ ...command, doc: current.content });
    } else if (current.kind === 'space' || (current.kind === 'line' && !isBroken)) output.space();
    else if (current.kind !== 'soft' || isBroken) {
      if (current.comment) output.write(` ${current.comment}`);
      output.newline(indentation, current.kind === 'blank');
    }
  }
  return output.text();
}

/** The length of the line that starts with `first`; stops counting beyond `limit`. */
function widthOf(first: Command, rest: readonly Command[], limit: number): number {
  let width = 0;
  let next = rest.length;
  const commands: Command[] = [first];
  while (width <= limit) {
    const command = commands.pop() ?? rest[--next];
    if (command === undefined) return width;
    const { doc, isBroken } = command;
    if (typeof doc === 'string') {
      const newline = doc.indexOf('\n');
      if (newline !== -1) return width + newline;
      width += doc.length;
    } else if (!('kind' in doc)) {
      for (const part of doc.toReversed()) commands.push({ ...command, doc: part });
    } else if ('content' in doc) {
      // A later group can still be broken.
      if (doc.kind !== 'ifBroken' || isBroken) commands.push({ ...command, doc: doc.content });
    } else if (doc.kind === 'hard' || doc.kind === 'blank' || (isBroken && doc.kind !== 'space'))
      return width;
    else if (doc.kind !== 'soft') width += 1;
  }
  return width;
}

class Output {
  #lines: string[] = [];
  #line = '';
  #isNew = true;

  get column(): number {
    return this.#line.length;
  }

  write(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const one of lines) {
      this.#lines.push(this.#line + one);
      this.#line = '';
    }
    this.#line += last;
    if (text !== '') this.#isNew = false;
  }

  space(): void {
    if (!this.#isNew && !this.#line.endsWith(' ')) this.#line += ' ';
  }

  newline(indentation: number, isBlank: boolean): void {
    if (!this.#isNew) this.#lines.push(this.#line.trimEnd());
    if (isBlank && this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
    this.#line = ' '.repeat(indentation);
    this.#isNew = true;
  }

  text(): string {
    return [...this.#lines, this.#line].join('\n').trimEnd();
  }
}
