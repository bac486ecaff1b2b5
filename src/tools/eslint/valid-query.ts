import { applyEdit, check, type Severity } from '../../language/index.ts';
import { templateQuery, withTemplateValues } from '../../language/template.ts';
import type { Fixer, Rule, RuleContext, TaggedTemplate } from './rule.ts';

/** Options of the rule `logclient/valid-query`. */
export interface ValidQueryOptions {
  /**
   * The least severe problems to report: `error`, `warning`, or `info` for all.
   *
   * @default 'warning'
   */
  minSeverity?: Severity;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Reports problems in the queries of `` lql`…` `` templates, with fixes. */
export const validQuery: Rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Find problems in LogScale queries in lql templates.' },
    fixable: 'code',
    hasSuggestions: true,
    schema: [
      {
        type: 'object',
        properties: { minSeverity: { enum: SEVERITIES } },
        additionalProperties: false,
      },
    ],
  },
  create: (context) => ({
    TaggedTemplateExpression(node) {
      if (node.tag.type === 'Identifier' && node.tag.name === 'lql') checkTemplate(node, context);
    },
  }),
};

function checkTemplate({ quasi }: TaggedTemplate, context: RuleContext): void {
  const { sourceCode } = context;
  const [start = 0, end = 0] = quasi.range ?? [];
  const offset = start + 1;
  const raw = sourceCode.text.slice(offset, end - 1);
  // The places of `${…}` around the expressions, counted from the start of the template's text.
  const values = quasi.expressions.map(({ range: [from, to] = [0, 0] }) => ({
    start: sourceCode.text.lastIndexOf('${', from) - offset,
    end: sourceCode.text.indexOf('}', to) + 1 - offset,
  }));
  const query = templateQuery(raw, values);
  const { minSeverity = 'warning' } = (context.options[0] ?? {}) as ValidQueryOptions;
  const reported = SEVERITIES.slice(0, SEVERITIES.indexOf(minSeverity) + 1);
  for (const { severity, message, span, fix, isSuggestion } of check(query, { unknownParts: values })) {
    if (!reported.includes(severity)) continue;
    // Undefined if it needs escapes or loses a value.
    const fixed = fix && applyEdit(query, fix);
    const isPlain = fixed !== undefined && !/\\[`$]/.test(raw) && !/`|\$\{/.test(fixed);
    const text = isPlain ? withTemplateValues(fixed, raw, values) : undefined;
    const write = (changed: string) => (fixer: Fixer) => fixer.replaceTextRange([offset, end - 1], changed);
    context.report({
      message,
      loc: {
        start: sourceCode.getLocFromIndex(offset + span.start),
        end: sourceCode.getLocFromIndex(offset + span.end),
      },
      fix: text === undefined || isSuggestion ? null : write(text),
      ...(fix &&
        text !== undefined &&
        isSuggestion && { suggest: [{ desc: `Write ${fix.text.trim()}`, fix: write(text) }] }),
    });
  }
}
