import { nearestName } from '../../core/nearest-name.ts';
import { quoteField, quoteString } from '../../core/query-text.ts';
import type { ComparisonNode, FieldNode, PipelineNode, Span } from '../ast.ts';
import { isNumberText } from '../character-classes.ts';
import { textOf, valuesOf } from './call-arguments.ts';
import { type Finding, findIn, warning } from './diagnostic.ts';
import { textComparison } from './text-comparison.ts';

/** Checks the names in a query against its known source. */
export function checkSource(tree: PipelineNode, known: KnownSource): readonly Finding[] {
  const { savedQueries, files } = known;
  if (savedQueries === undefined && files === undefined) return checkComparedFields(tree, known);
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
  return [...findings, ...checkComparedFields(tree, known)];
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

/** Fields that are compared before the first step that can add fields. */
function checkComparedFields(tree: PipelineNode, { fields }: KnownSource): readonly Finding[] {
  if (fields === undefined || fields.length === 0) return [];
  const names = fields.map(({ name }) => name);
  const findings: Finding[] = [];
  for (const step of tree.steps) {
    if (!['And', 'Or', 'Not', 'Comparison', 'FreeText'].includes(step.kind)) break;
    const found = findIn(step, {
      Comparison(comparison) {
        const { field } = comparison;
        const values = fields.find(({ name }) => name === field.name)?.values;
        return unknownField(field, names) ?? comparedText(comparison, values);
      },
      Call: () => false,
    });
    findings.push(...found);
  }
  return findings;
}

/** `level >= 40` where all known levels are names. */
function comparedText(
  { field, operator, value, span }: ComparisonNode,
  values: readonly string[] = [],
): Finding | undefined {
  if (value.kind !== 'Number' || values.length === 0 || values.some(isNumberText)) return undefined;
  const comparison = { field: field.name, operator, bound: value.text };
  const { message, write } = textComparison(comparison, values);
  return warning('compared-text', span, message, write);
}

function unknownField({ name, span }: FieldNode, known: readonly string[]): Finding | undefined {
  if (known.includes(name) || name.startsWith('@')) return undefined;
  if (known.includes(`#${name}`)) {
    const message = `"${name}" is a tag: write #${name}, which also limits which events are read.`;
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
  readonly fields?: readonly KnownField[];
  readonly savedQueries?: readonly KnownName[];
  /** Lookup files. */
  readonly files?: readonly KnownFile[];
}

export interface KnownField {
  readonly name: string;
  readonly values?: readonly string[];
}

export interface KnownName {
  readonly name: string;
  /** One sentence. */
  readonly description?: string;
}

export interface KnownFile {
  readonly name: string;
  readonly columns?: readonly string[];
}
