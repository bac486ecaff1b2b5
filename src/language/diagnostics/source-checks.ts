import { nearestName } from '../../core/option-checks.ts';
import type { ComparisonNode, FieldNode, PipelineNode, Span } from '../ast.ts';
import { isFieldName, isNumberText } from '../character-classes.ts';
import { walk } from '../walk.ts';
import { valuesOf } from './call-arguments.ts';
import type { Finding } from './diagnostic.ts';
import type { KnownSource } from './known-source.ts';
import { textComparison } from './text-comparison.ts';
import { textOf } from './value-forms.ts';

/** Checks the names in a query against its known source. */
export function checkSource(tree: PipelineNode, known: KnownSource): readonly Finding[] {
  const found: Finding[] = [];
  const { savedQueries, files } = known;
  walk(tree, {
    SavedQuery({ name, span }) {
      if (savedQueries === undefined || name.includes('/')) return;
      const problem = unknownName(
        { kind: 'saved query', name, span },
        savedQueries.map((one) => one.name),
      );
      if (problem !== undefined) found.push(problem);
    },
    Call(call) {
      if (files === undefined || !/^(?:match|lookup|readFile)$/i.test(call.name)) return;
      for (const value of valuesOf(call, 'file')) {
        const name = textOf(value);
        if (name === undefined || !name.includes('.')) continue;
        const problem = unknownName(
          { kind: 'lookup file', name, span: value.span },
          files.map((one) => one.name),
        );
        if (problem !== undefined) found.push(problem);
      }
    },
  });
  return [...found, ...checkComparedFields(tree, known)];
}

interface WrittenName {
  readonly kind: string;
  readonly name: string;
  readonly span: Span;
}

function unknownName({ kind, name, span }: WrittenName, known: readonly string[]): Finding | undefined {
  if (known.includes(name)) return undefined;
  const meant = nearestName(name, known);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const code = kind === 'saved query' ? 'unknown-saved-query' : 'unknown-file';
  const text = kind === 'saved query' ? `$${JSON.stringify(meant)}` : JSON.stringify(meant);
  return {
    code,
    severity: 'warning',
    message: `There is no ${kind} "${name}".${hint}`,
    span: kind === 'saved query' ? { start: span.start, end: span.start + name.length + 1 } : span,
    ...(meant !== undefined && kind !== 'saved query' && { fix: { span, text } }),
  };
}

/** Fields that are compared before the first step that can add fields. */
function checkComparedFields(tree: PipelineNode, { fields }: KnownSource): readonly Finding[] {
  if (fields === undefined || fields.length === 0) return [];
  const names = fields.map(({ name }) => name);
  const found: Finding[] = [];
  for (const step of tree.steps) {
    if (!['And', 'Or', 'Not', 'Comparison', 'FreeText'].includes(step.kind)) break;
    walk(step, {
      Comparison(comparison) {
        const { field } = comparison;
        const values = fields.find(({ name }) => name === field.name)?.values;
        const problem = unknownField(field, names) ?? comparedText(comparison, values);
        if (problem !== undefined) found.push(problem);
      },
      Call: () => false,
    });
  }
  return found;
}

/** `level >= 40` where all known levels are names. */
function comparedText(
  { field, operator, value, span }: ComparisonNode,
  values: readonly string[] = [],
): Finding | undefined {
  if (value.kind !== 'Number' || values.length === 0 || values.some(isNumberText)) return undefined;
  const comparison = { field: field.name, operator, bound: value.text };
  const { message, write } = textComparison(comparison, values);
  const fix = write === undefined ? undefined : { span, text: write };
  const propose = (text: string) => `Write ${text}.`;
  return { code: 'compared-text', severity: 'warning', message, span, propose, fix };
}

function unknownField({ name, span }: FieldNode, known: readonly string[]): Finding | undefined {
  if (known.includes(name) || name.startsWith('@')) return undefined;
  if (known.includes(`#${name}`)) {
    const message = `"${name}" is a tag: write #${name}, which also limits which events are read.`;
    return { code: 'tag-field', severity: 'warning', message, span, fix: { span, text: `#${name}` } };
  }
  const meant = nearestName(name, known);
  if (meant === undefined) return undefined;
  const message = `No event has the field "${name}". Did you mean "${meant}"?`;
  const text = isFieldName(meant) ? meant : JSON.stringify(meant);
  return { code: 'unknown-field', severity: 'warning', message, span, fix: { span, text } };
}
