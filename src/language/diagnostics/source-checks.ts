import { nearestName } from '../../core/nearest-name.ts';
import { quoteField, quoteString } from '../../core/query-text.ts';
import type { BarewordNode, PipelineNode, Span } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { print } from '../printer.ts';
import { textOf, valuesOf } from './call-arguments.ts';
import { type Finding, findIn, warning } from './diagnostic.ts';
import { fieldsAfter, fieldsNamed, readsOf } from './field-flow.ts';
import { isAggregate } from './pipeline-checks.ts';
import { comparedName } from './silent-filters.ts';
import { textComparison } from './text-comparison.ts';

/** Checks the names in a query against its known source. */
export function checkSource(tree: PipelineNode, known: KnownSource): readonly Finding[] {
  const { savedQueries, files } = known;
  const findings = findIn(tree, {
    SavedQuery(query) {
      if (savedQueries === undefined || query.name.includes('/')) return undefined;
      const problem = unknownName('saved query', query, savedQueries);
      const { start } = query.span;
      const span = { start, end: start + query.name.length + 1 };
      return problem && { ...problem, code: 'unknown-saved-query', span, fix: undefined };
    },
    Call(call) {
      if (files === undefined || !/^(?:match|lookup|readFile)$/i.test(call.name)) return undefined;
      return valuesOf(call, 'file').map((value) => {
        const name = textOf(value) ?? '';
        return name.includes('.') ? unknownName('lookup file', { name, span: value.span }, files) : undefined;
      });
    },
  });
  return [...findings, ...checkReadFields(tree, known)];
}

function unknownName(
  kind: string,
  { name, span }: { readonly name: string; readonly span: Span },
  known: readonly KnownName[],
): Finding | undefined {
  const names = known.map((one) => one.name);
  if (names.includes(name)) return undefined;
  const meant = nearestName(name, names);
  const message = `There is no ${kind} "${name}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`;
  const fix = meant === undefined ? undefined : { span, text: quoteString(meant) };
  return { ...warning('unknown-file', span, message), fix };
}

/** The fields of events that steps read, up to the first aggregate. */
function checkReadFields(tree: PipelineNode, { fields = [] }: KnownSource): readonly Finding[] {
  const findings: Finding[] = [];
  const valuesOfField = new Map(fields.map(({ name, values = [] }) => [name, values]));
  let before = fieldsNamed([...valuesOfField.keys()]);
  for (const step of fields.length === 0 ? [] : tree.steps) {
    if (before === undefined) break;
    const names = [...before.keys()];
    findings.push(
      ...readsOf(step).flatMap(
        ({ name, node, isTolerant }) => (!isTolerant && unknownField(name, node.span, names)) || [],
      ),
      ...findIn(step, {
        /** `level >= 40` where all known levels are names. */
        Comparison(node) {
          const { field, operator, value, span } = node;
          const text = print(value);
          if (/[a-z][A-Z]/.test(text) && !valuesOfField.get(field.name)?.includes(text))
            return comparedName(node, print(node), new Set(valuesOfField.keys()));
          const values = valuesOfField.get(field.name) ?? [];
          if (value.kind !== 'Number' || values.length === 0 || values.some(isNumberText)) return undefined;
          const { message, write } = textComparison(
            { field: field.name, operator, bound: value.text },
            values,
          );
          return warning('compared-text', span, message, write);
        },
        /** `test(user == alice)` */
        Binary({ left, right }) {
          const isValue = valuesOfField.get(print(left))?.includes(print(right));
          if (!isValue || right.kind !== 'Bareword' || isNumberText(right.text)) return undefined;
          return names.includes(right.text) ? undefined : fieldWord(right);
        },
        Pipeline: () => false,
      }),
    );
    if (isAggregate(step)) break;
    before = fieldsAfter({ ...tree, steps: [step] }, before);
  }
  return findings;
}

/** A word that is the name of a field in an expression. */
export function fieldWord(
  { text, span }: BarewordNode,
  code = 'field-word',
  written = quoteString(text),
): Finding {
  return warning(code, span, `"${text}" is the name of a field in an expression.`, written);
}

function unknownField(name: string, span: Span, known: readonly string[]): Finding | undefined {
  if (known.includes(name) || /^@|\[/.test(name)) return undefined;
  if (known.includes(`#${name}`)) {
    const message = `"${name}" is a tag: write #${name}.`;
    return { ...warning('tag-field', span, message), fix: { span, text: `#${name}` } };
  }
  const meant = nearestName(name, known);
  if (meant === undefined) return undefined;
  const message = `No event has the field "${name}". Did you mean "${meant}"?`;
  return { ...warning('unknown-field', span, message), fix: { span, text: quoteField(meant) } };
}

/** What is known about the events, files and saved queries that a query can use. All parts are optional. */
export interface KnownSource {
  /** Fields of the events and their values, most frequent first. */
  readonly fields?: readonly KnownField[] | undefined;
  readonly savedQueries?: readonly KnownName[] | undefined;
  /** Lookup files. */
  readonly files?: readonly KnownFile[] | undefined;
}

export interface KnownField {
  readonly name: string;
  readonly values?: readonly string[] | undefined;
}

export interface KnownName {
  readonly name: string;
  /** One sentence. */
  readonly description?: string | undefined;
}

export interface KnownFile {
  readonly name: string;
  readonly columns?: readonly string[] | undefined;
}
