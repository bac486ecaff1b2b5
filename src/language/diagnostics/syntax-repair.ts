import type { Span } from '../ast.ts';
import type { RepairEdit, TextEdit } from './diagnostic.ts';
import { maskText } from './masked-text.ts';
import { LAST_REPAIRS, REPAIRS, type RepairRow, STRICT_REPAIRS } from './mistakes/syntax-errors.ts';

/** Edits that may fix a syntax error, most likely first. */
export function repairsOf(source: string, span: Span): readonly RepairEdit[] {
  const masked = maskText(source);
  const { start, end } = span;
  const found = source.slice(start, end);
  // A regex over several lines is not closed on its first one, and a name with a colon is no field.
  if ((found === '/' && source.slice(end).includes('/')) || /\w:+$/.test(found)) return [];
  const isUnclosed = /^(?:["/]|\/\*)$/.test(found);
  const marked = (before: string, after: string) =>
    `${before.slice(Math.max(0, start - MAX_DISTANCE), start)}⟦${found}⟧${after.slice(end, end + MAX_DISTANCE)}`;
  const blank = marked(masked, isUnclosed ? source : masked);
  const whole = marked(source, source);
  const strict = STRICT_REPAIRS.flatMap((row) => editsOf(row, source, blank, span));
  return [
    ...strict.map((edit) => ({ ...edit, leavesNoWords: 'inside' as const })),
    ...REPAIRS.flatMap((row) => editsOf(row, source, blank, span)),
    ...missingClosers(masked, span),
    ...LAST_REPAIRS.flatMap((row) => editsOf(row, source, whole, span)),
  ];
}

/** Length of the text before and after an error that repairs read: some patterns need quadratic time. */
const MAX_DISTANCE = 1000;

function editsOf([pattern, ...writes]: RepairRow, source: string, marked: string, span: Span): TextEdit[] {
  const match = pattern.exec(marked);
  const ranges = match?.indices?.map((range) => range?.map((at) => placeIn(at, span)));
  const [[start, end] = [], ...places] = ranges ?? [];
  if (start === undefined || end === undefined) return [];
  const groups = places.map((place) => source.slice(place?.[0], place?.[1]));
  return writes.flatMap((write) => {
    const text =
      typeof write === 'string'
        ? write.replace(/\$(\d)/g, (_, group) => groups[group - 1] ?? '')
        : write(...groups);
    return text === undefined ? [] : [{ span: { start, end }, text }];
  });
}

/** The place in the query of a place in the text with marks. */
function placeIn(at: number, { start, end }: Span): number {
  const place = at + Math.max(0, start - MAX_DISTANCE);
  return place - (place > start ? 1 : 0) - (place > end + 1 ? 1 : 0);
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Brackets that are open at the error: before the next `|`, or at the end. */
function missingClosers(masked: string, { start, end }: Span): readonly TextEdit[] {
  if (!/^[|)\]};]?$/.test(masked.slice(start, end))) return [];
  const open: string[] = [];
  for (const mark of masked.slice(0, start).replace(/[^()[\]{}]/g, '')) {
    const closer = CLOSERS[mark];
    if (closer !== undefined) open.unshift(closer);
    else if (open[0] === mark) open.shift();
  }
  const places = [masked.slice(0, start).trimEnd().length, masked.trimEnd().length];
  return open.flatMap((_closer, count) =>
    places.map((at) => ({ span: { start: at, end: at }, text: open.slice(0, count + 1).join('') })),
  );
}
