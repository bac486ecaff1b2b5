import type { Span } from '../ast.ts';
import { isFunctionName } from '../function-names.ts';
import { findSignature } from '../functions/find-function.ts';
import { SINGLE_OUTPUTS } from '../functions/outputs.ts';
import type { TextEdit } from './diagnostic.ts';
import { maskText, replaceOutside, withDoubleQuotes } from './masked-text.ts';
import { equalOrRegex } from './mistakes/conversions.ts';

/** A syntax error and the text around it. */
interface Fault {
  readonly source: string;
  /** The same text with blank strings and comments. */
  readonly masked: string;
  readonly span: Span;
  /** The text of the error. */
  readonly found: string;
  /** The masked text before it. */
  readonly before: string;
}

/** A mistake that causes a syntax error, and the edits that may fix it, most likely first. */
type Repair = (fault: Fault) => readonly (TextEdit | undefined)[];

/** Edits that may fix a syntax error, most likely first. */
export function repairsOf(source: string, span: Span): readonly TextEdit[] {
  const masked = maskText(source);
  const { start, end } = span;
  const fault = { source, masked, span, found: source.slice(start, end), before: masked.slice(0, start) };
  return REPAIRS.flatMap((repair) => repair(fault)).filter((edit) => edit !== undefined);
}

const REPAIRS: readonly Repair[] = [
  foreignMark,
  singleQuotes,
  textTime,
  comparedFields,
  conjunctionInArgument,
  listOfValues,
  missingSemicolon,
  missingComma,
  assignmentInFilter,
  comparedAggregate,
  missingQuote,
  functionWithoutArguments,
  missingCloser,
  surplusMark,
  quotedWord,
  quotedArgument,
];

const REPLACEMENTS: Readonly<Record<string, string>> = { '==': '=', '||': 'or', '&&': 'and', '=>': '>=' };

/** `==`, `||`, `<>`, `=>`, `=<`, `= !x`, `=~ /x/` and `=~ "x"`. */
function foreignMark({ source, span, found, before }: Fault): readonly TextEdit[] {
  const text = REPLACEMENTS[found];
  if (text !== undefined) return [{ span, text }];
  const [, gap = ''] = /(?:<|=~|=)(\s*)$/.exec(before) ?? [];
  const mark = before.trimEnd();
  const start = span.start - gap.length;
  if (found === '>' && mark.endsWith('<')) return [{ span: { start: start - 1, end: span.end }, text: '!=' }];
  if (found === '!' && mark.endsWith('=')) return [{ span: { start: start - 1, end: span.end }, text: '!=' }];
  if (found === '<' && mark.endsWith('=')) return [{ span: { start: start - 1, end: span.end }, text: '<=' }];
  if (found.startsWith('"') && mark.endsWith('=~'))
    return [{ span: { start: start - 2, end: span.end }, text: `=${equalOrRegex(found)}` }];
  const isRegex = source[span.start] === '/' && mark.endsWith('=~');
  return isRegex ? [{ span: { start: start - 2, end: span.start }, text: '=' }] : [];
}

/** `'text'`, of which the next pair would be the next error. */
function singleQuotes({ source, span, found }: Fault): readonly TextEdit[] {
  if (found !== "'") return [];
  const rest = { start: span.start, end: source.length };
  return [{ span: rest, text: withDoubleQuotes(source.slice(span.start)) }];
}

/** `@timestamp > "2026-01-01"`: times are compared in epoch milliseconds. */
function textTime({ span, found }: Fault): readonly TextEdit[] {
  const time = found.replaceAll('"', '');
  if (!/^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+Z?)?$/.test(time)) return [];
  const hasZone = time.endsWith('Z') || !time.includes(':');
  const epochMs = Date.parse(hasZone ? time : `${time.replace(' ', 'T')}Z`);
  return Number.isNaN(epochMs) ? [] : [{ span, text: String(epochMs) }];
}

/** `a > b` as a filter: `test()` compares two fields. */
function comparedFields({ source, span, found, before }: Fault): readonly TextEdit[] {
  if (found.startsWith('"')) return [];
  const [comparison] = /[\w.@#]+\s*(?:<=|>=|<|>)\s*$/.exec(before) ?? [];
  if (comparison === undefined) return [];
  const start = span.start - comparison.length;
  const text = `test(${source.slice(start, span.end).trim()})`;
  return [{ span: { start, end: span.end }, text }];
}

/** `if(a == 1 and b == 2, …)`: `and` needs braces. */
function conjunctionInArgument({ source, masked, span, found, before }: Fault): readonly TextEdit[] {
  if (!/^(?:and|or|&|&&)$/i.test(found)) return [];
  const start = before.search(/[(,=]\s*(?:[\w.@#"]+\s*(?:[=!<>]=|[<>])\s*(?:"[^"]*"|[\w.-]+)\s*)$/) + 1;
  const length = masked.slice(span.end).search(/[,)]/);
  if (start === 0 || length === -1) return [];
  const end = span.end + length;
  const marks = replaceOutside(source.slice(start, end), /&&?|==/g, (mark) => (mark === '==' ? '=' : 'and'));
  const text = marks.trim();
  return [{ span: { start, end }, text: `{ ${text} }` }];
}

/** `a=[1, 2]` and `a=(1 or 2)` */
function listOfValues({ source, masked, span, found, before }: Fault): readonly TextEdit[] {
  const [comparison, field = '', operator] = /([\w.@#]+)\s*(!?=)\s*$/.exec(before) ?? [];
  const end = masked.indexOf(found === '(' ? ')' : ']', span.end);
  if (comparison === undefined || !/^[([]$/.test(found) || end === -1) return [];
  const values = replaceOutside(source.slice(span.end, end), /\s*,\s*|\s+or\s+/gi, () => ', ');
  const text = `${operator === '!=' ? '!' : ''}in(${field}, values=[${values}])`;
  return [{ span: { start: span.start - comparison.length, end: end + 1 }, text }];
}

/** `case { a=1 | x := 1 * | x := 2 }` */
function missingSemicolon({ span, before }: Fault): readonly TextEdit[] {
  const [, gap] = /(\s*)\*\s*$/.exec(before) ?? [];
  if (gap === undefined) return [];
  const at = before.trimEnd().length - 1 - gap.length;
  return [{ span: { start: at, end: at }, text: ';' }, quoteAt({ start: at + gap.length, end: span.start })];
  function quoteAt(place: Span): TextEdit {
    return { span: place, text: '"*"' };
  }
}

/** `f(a=1 b=2)` */
function missingComma({ source, span, before }: Fault): readonly TextEdit[] {
  const isNamed = /^\w+\s*=/.test(source.slice(span.start));
  return isNamed ? [{ span: emptyAt(before.trimEnd().length), text: ',' }] : [];
}

/** `count() > 5` and `sum(ms) / 60`: the output of an aggregate is a field of the next step. */
function comparedAggregate({ source, masked, span, before }: Fault): readonly TextEdit[] {
  const [call, name = ''] = /(\w+)\([^()]*\)\s*$/.exec(before) ?? [];
  const output = SINGLE_OUTPUTS[findSignature(name)?.name ?? ''];
  if (call === undefined || output === undefined) return [];
  const length = masked.slice(span.start).search(/[|;}\n]|$/);
  const rest = source.slice(span.start, span.start + length).trim();
  if (rest === '') return [];
  const place = { start: before.trimEnd().length, end: span.start + rest.length };
  return [`${output} ${rest}`, `${output} := ${output} ${rest}`].map((step) => ({
    span: place,
    text: ` | ${step}`,
  }));
}

/** `level=error and x := 1`: an assignment is a step. */
function assignmentInFilter({ span, found, before }: Fault): readonly TextEdit[] {
  if (found !== ':=') return [];
  const [, conjunction, name = ''] = /(\s+and\s+)([\w.@#"]+\s*)$/i.exec(before) ?? [];
  if (conjunction === undefined) return [];
  const end = span.start - name.length;
  return [{ span: { start: end - conjunction.length, end }, text: ' | ' }];
}

/** A string, a regular expression or a comment that is not closed. */
function missingQuote({ source, span, found }: Fault): readonly TextEdit[] {
  const closing = { '"': '"', '/': '/', '/*': ' */' }[found];
  if (closing === undefined) return [];
  const rest = source.slice(span.start);
  const lengths = [/\s*\|/, /\s*[\n\r]/, /[\s),\]]|$/, /\s*$/].map((end) => rest.search(end));
  return lengths
    .filter((length) => length > 0)
    .map((length) => ({ span: emptyAt(span.start + length), text: closing }));
}

/** `| count`: a call has parentheses. */
function functionWithoutArguments({ span, found, before }: Fault): readonly TextEdit[] {
  const isStep = /(?:^|[|{;[,=])\s*$/.test(before);
  return isStep && isFunctionName(found) ? [{ span: emptyAt(span.end), text: '()' }] : [];
}

/** A word with characters that are only allowed in strings: `user-name=ann`, `a:b` as an argument. */
function quotedWord({ source, span, found }: Fault): readonly TextEdit[] {
  const isWord = /^[^\s"'()[\]{}|;,=<>!]+$/.test(found);
  const [head = ''] = /[^\s"'()[\]{}|;,=<>!]*$/.exec(source.slice(0, span.start)) ?? [];
  const [tail = ''] = /^[^\s"'()[\]{}|;,=<>!]*/.exec(source.slice(span.start)) ?? [];
  // Quoting a plain word only hides that it is not a filter.
  if (/^\w*$/.test(head + tail) && !/[=<>]\s*$/.test(source.slice(0, span.start - head.length))) return [];
  const run = { start: span.start - head.length, end: span.start + tail.length };
  return [
    ...(head + tail === '' ? [] : [{ span: run, text: `"${head}${tail}"` }]),
    ...(isWord ? [{ span, text: `"${found}"` }] : []),
  ];
}

/** An argument of several words: `format=hello world`. */
function quotedArgument({ source, masked, before, span }: Fault): readonly TextEdit[] {
  const start = before.search(/[(,=[]\s*[^(,=[\]|"]*$/) + 1;
  const length = masked.slice(span.start).search(/[,)\]]/);
  if (start === 0 || length === -1) return [];
  const text = source.slice(start, span.start + length);
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.includes('"')) return [];
  const first = start + text.indexOf(trimmed);
  return [{ span: { start: first, end: first + trimmed.length }, text: `"${trimmed}"` }];
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Brackets that are open at the error: before the next `|`, or at the end. */
function missingCloser({ masked, span, found, before }: Fault): readonly TextEdit[] {
  if (!/^[|)\]};]?$/.test(found)) return [];
  const open: string[] = [];
  for (const mark of before.replace(/[^()[\]{}]/g, '')) {
    const closer = CLOSERS[mark];
    if (closer !== undefined) open.unshift(closer);
    else if (open[0] === mark) open.shift();
  }
  const at = masked.slice(0, span.start).trimEnd().length;
  const end = masked.trimEnd().length;
  return open.flatMap((_closer, count) => {
    const text = open.slice(0, count + 1).join('');
    return [
      { span: emptyAt(at), text },
      { span: emptyAt(end), text },
    ];
  });
}

/** A surplus closing bracket, comma or conjunction. */
function surplusMark({ source, span, found, before }: Fault): readonly TextEdit[] {
  const [conjunction] = /\s+(?:and|or|not)\s*$/i.exec(before) ?? [];
  const start = span.start - (conjunction?.length ?? 0);
  if (conjunction !== undefined) return [{ span: { start, end: span.start }, text: found === '' ? '' : ' ' }];
  const after = source.slice(span.end, span.end + 1);
  const isBetweenWords = /\S$/.test(before) && /\w/.test(after);
  return /^[)\]},;]$/.test(found) && !isBetweenWords ? [{ span, text: '' }] : [];
}

function emptyAt(offset: number): Span {
  return { start: offset, end: offset };
}
