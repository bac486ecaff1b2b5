import { parseDocument, type Scalar } from 'yaml';
import { tryOr } from '../../core/try-or.ts';
import type { EmbeddedQuery, Segment } from './embedded-query.ts';
import { linesWithout, withPrefix } from './text-lines.ts';

type ScalarText = Pick<EmbeddedQuery, 'offset' | 'end' | 'kind' | 'segments' | 'encode' | 'reason'>;

/** Where the characters of a string are in a YAML or JSON file, and how to write others in their place. */
export function scalarText(file: string, scalar: Scalar<string>, isJson: boolean): ScalarText {
  const [start, end] = scalar.range!;
  if (scalar.type === 'BLOCK_LITERAL') return literalText(file, scalar, start, end);
  const isQuoted = scalar.type === 'QUOTE_DOUBLE' || scalar.type === 'QUOTE_SINGLE';
  const [offset, innerEnd] = isQuoted ? [start + 1, end - 1] : [start, end];
  const source = file.slice(offset, innerEnd);
  if (source === scalar.value && !source.includes('\n')) {
    return { offset, end: innerEnd, kind: 'line', encode: (part) => encoded(part, scalar.type) };
  }
  const segments = alignment(scalar, atomsIn(source, offset, scalar.type));
  if (isJson && scalar.type === 'QUOTE_DOUBLE') {
    return { offset, end: innerEnd, kind: 'block', segments, encode: (part) => encoded(part, scalar.type) };
  }
  const reason =
    scalar.type === 'BLOCK_FOLDED'
      ? 'it is in a folded block; use "|" instead of ">"'
      : 'it is in a string with escapes or several lines; use a block with "|"';
  return { offset, end: innerEnd, kind: 'fixed', segments, reason };
}

function encoded(part: string, type: Scalar['type']): string {
  if (type === 'QUOTE_SINGLE') return part.replaceAll("'", "''");
  return type === 'QUOTE_DOUBLE' ? JSON.stringify(part).slice(1, -1) : part;
}

/** A block with `|`. Its lines have the same indentation. */
function literalText(file: string, scalar: Scalar<string>, start: number, end: number): ScalarText {
  const first = file.indexOf('\n', start) + 1;
  const value = scalar.value.split('\n');
  const index = value.findIndex((line) => line !== '');
  const sourceLines = file.slice(first, end).split('\n');
  const indent = sourceLines[index]!.replace(/\r$/, '').length - value[index]!.length;
  const lastContent = value.findLastIndex((line) => line.trim() !== '');
  const last = first + sourceLines.slice(0, lastContent + 1).join('\n').length;
  const { segments } = linesWithout(file, first, last - (file[last - 1] === '\r' ? 1 : 0), indent);
  const prefix = sourceLines[index]!.slice(0, indent);
  const eol = file.slice(start, end).includes('\r\n') ? '\r\n' : '\n';
  return {
    offset: segments[0]!.offset,
    end: last,
    kind: 'block',
    segments,
    encode: (part, next) => withPrefix(part, next, prefix, eol),
  };
}

/** A character in the source of a scalar, or an escape sequence for one. */
interface Atom {
  readonly text: string;
  readonly offset: number;
  readonly width: number;
}

const ESCAPES = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\r?\n|[\s\S])/y;
function atomsIn(source: string, start: number, type: Scalar['type']): readonly Atom[] {
  const atoms: Atom[] = [];
  for (let index = 0; index < source.length; ) {
    const [text, width] = atomAt(source, index, type);
    if (text !== '') atoms.push({ text, offset: start + index, width });
    index += width;
  }
  return atoms;
}

function atomAt(source: string, index: number, type: Scalar['type']): readonly [string, number] {
  if (type === 'QUOTE_SINGLE' && source.startsWith("''", index)) return ["'", 2];
  ESCAPES.lastIndex = index;
  const sequence = type === 'QUOTE_DOUBLE' ? ESCAPES.exec(source)?.[0] : undefined;
  if (sequence === undefined) return [source[index]!, 1];
  if (sequence.endsWith('\n')) return ['', sequence.length];
  const quoted = `"${sequence}"`;
  // YAML has more escapes than JSON, whose parser is faster.
  return [tryOr(undefined, () => JSON.parse(quoted)) ?? parseDocument(quoted).toJS(), sequence.length];
}

/**
 * Finds the characters of a string in its source. Words are in the same order in both; white space can differ, because
 * line breaks become spaces.
 */
function alignment({ value, type, range }: Scalar<string>, atoms: readonly Atom[]): readonly Segment[] {
  const segments: Segment[] = [];
  // The first line of a folded block has its style.
  let next = type === 'BLOCK_FOLDED' ? atoms.findIndex(({ text }) => text === '\n') + 1 : 0;
  for (let at = 0; at < value.length; ) {
    const isSpace = /\s/.test(value[at]!);
    while (!isSpace && next < atoms.length && /\s/.test(atoms[next]!.text)) next += 1;
    const atom = atoms[next];
    const offset = atom?.offset ?? range![1];
    const isMatch = atom !== undefined && (isSpace ? /\s/.test(atom.text) : value.startsWith(atom.text, at));
    if (isMatch) next += 1;
    const length = isMatch ? atom.text.length : 1;
    const width = isMatch ? atom.width : 0;
    const last = segments.at(-1);
    const isLinear =
      last?.width === undefined && width === 1 && last !== undefined && last.offset - last.at === offset - at;
    if (!isLinear) segments.push({ at, offset, ...((width !== 1 || length !== 1) && { width }) });
    at += length;
  }
  return segments;
}
