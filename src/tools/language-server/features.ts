import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  MarkupKind,
  type Position,
  type Range,
  type SignatureHelp,
  type TextEdit,
} from 'vscode-languageserver/node';
import { shortenText } from '../../core/shorten-text.ts';
import { tryOr } from '../../core/try-or.ts';
import {
  applyEdit,
  type CompletionKind,
  callAround,
  complete,
  describeFunction,
  type FunctionHelp,
  hover,
  parse,
  type Severity,
} from '../../language/index.ts';
import { formatQuery } from '../lint/format-query.ts';
import { queryProblems } from '../lint/query-problems.ts';
import { rowMembers } from '../query/row-type.ts';
import type { QueryDocument, QueryPlace } from './query-document.ts';
import { isNamed } from './rename.ts';

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
};

const COMPLETION_KINDS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  function: CompletionItemKind.Function,
  parameter: CompletionItemKind.Property,
  field: CompletionItemKind.Field,
  value: CompletionItemKind.Value,
  keyword: CompletionItemKind.Keyword,
  savedQuery: CompletionItemKind.Reference,
  file: CompletionItemKind.File,
  variable: CompletionItemKind.Variable,
};

/** The problems of all queries, with what an editor shows. */
export function problemsOf(document: QueryDocument) {
  return document.queries.flatMap((embedded) =>
    queryProblems(embedded.query, embedded.values).map((problem) => {
      const { code, severity, message, span } = problem;
      const range = document.rangeOf(embedded, span);
      const diagnostic: Diagnostic = {
        range,
        severity: SEVERITIES[severity],
        code,
        source: 'logclient',
        message,
      };
      return { embedded, problem, diagnostic };
    }),
  );
}

/** The fixes of the problems that touch a range. */
export function codeActions(document: QueryDocument, uri: string, range: Range): CodeAction[] {
  return problemsOf(document).flatMap(({ embedded, problem, diagnostic }) => {
    const { fix } = problem;
    if (fix === undefined || isBefore(diagnostic.range.end, range.start)) return [];
    if (isBefore(range.end, diagnostic.range.start)) return [];
    const edits = document.editsFor(embedded, () => applyEdit(embedded.query, fix));
    if (edits.length === 0) return [];
    const title = fixTitle(embedded.query.slice(fix.span.start, fix.span.end), fix.text);
    const edit = { changes: { [uri]: edits } };
    return [{ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], isPreferred: true, edit }];
  });
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

function fixTitle(before: string, after: string): string {
  if (before.trim() === '') return `Insert "${shortened(after)}"`;
  if (after.trim() === '') return `Remove "${shortened(before)}"`;
  return `Replace with "${shortened(after)}"`;
}

/** The first 60 characters on one line. */
export function shortened(text: string): string {
  return shortenText(text.replace(/\s+/g, ' ').trim(), 60);
}

/** Completions at a position. */
export function completionsAt(document: QueryDocument, position: Position): CompletionItem[] {
  const place = document.placeAt(position);
  if (place === undefined) return [];
  const { embedded, offset } = place;
  return complete(embedded.query, offset).map(
    ({ kind, label, insert, span, detail, description }, index) => ({
      label,
      kind: COMPLETION_KINDS[kind],
      sortText: String(index).padStart(4, '0'),
      textEdit: { range: document.rangeOf(embedded, span), newText: insert },
      ...(detail !== undefined && { detail }),
      ...(description !== undefined && { documentation: description }),
    }),
  );
}

/** The documentation of the word at a position. */
export function hoverAt(document: QueryDocument, position: Position): Hover | null {
  const place = document.placeAt(position);
  const word = place && hover(place.embedded.query, place.offset);
  if (place === undefined || word === undefined) return null;
  const { title, description, help, span } = word;
  const lines = [codeBlock(title), description, ...helpLines(help), ...rowLines(place)];
  const contents = { kind: MarkupKind.Markdown, value: lines.join('\n\n') };
  return { contents, range: document.rangeOf(place.embedded, span) };
}

/** The type of the rows after the step at a place. */
function rowLines({ embedded: { query }, offset }: QueryPlace): readonly string[] {
  const steps = tryOr([], () => parse(query).steps);
  const step = steps.find(({ span }) => span.start <= offset && offset <= span.end);
  const members = step && rowMembers(query.slice(0, step.span.end));
  if (members === undefined) return [];
  return [
    'Rows after this step:',
    codeBlock(['{', ...members.map((member) => `  ${member}`), '}'].join('\n'), 'ts'),
  ];
}

function helpLines(help: FunctionHelp | undefined): readonly string[] {
  if (help === undefined) return [];
  const parameters = help.parameters.map(({ name, expects }) => `- \`${name}\`: ${expects}`);
  return [...(parameters.length > 0 ? [parameters.join('\n')] : []), 'Example:', codeBlock(help.example)];
}

function codeBlock(text: string, language = 'lql'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** The usage of the function whose parentheses are around a position, with the argument there. */
export function signatureAt(document: QueryDocument, position: Position): SignatureHelp | null {
  const place = document.placeAt(position);
  const call = place && callAround(place.embedded.query, place.offset);
  const help = call && describeFunction(call.name);
  if (place === undefined || call === undefined || help === undefined) return null;
  const { argument } = call;
  const activeParameter = help.parameters.findIndex((each) =>
    argument === undefined ? each.isUnnamed === true : isNamed(each, argument),
  );
  // The names of parameters are in the usage, in the same order.
  const parameters = help.parameters.map(({ name, expects }) => ({ label: name, documentation: expects }));
  const signature = { label: help.usage, documentation: help.description, parameters };
  return {
    signatures: [{ ...signature, ...(activeParameter >= 0 && { activeParameter }) }],
    activeSignature: 0,
    ...(activeParameter >= 0 && { activeParameter }),
  };
}

/** The edits that format all valid queries. */
export function formattingEdits(document: QueryDocument): TextEdit[] {
  return document.queries.flatMap((embedded) =>
    document.editsFor(embedded, () => formatQuery(document.text, embedded)),
  );
}
