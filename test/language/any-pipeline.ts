import fc from 'fast-check';
import type {
  ArgumentNode,
  AssignmentNode,
  BinaryOperator,
  CallNode,
  ComparisonOperator,
  ExpressionNode,
  FieldNode,
  FilterNode,
  NumberNode,
  ParameterNode,
  PatternNode,
  PipelineNode,
  RegexNode,
  SavedQueryNode,
  Span,
  StepNode,
  SubqueryNode,
} from '../../src/language/index.ts';

/** Trees that the parser can produce. All spans are equal, because the printer ignores them. */

const span = fc.constant<Span>({ start: 0, end: 0 });

const words = [
  'a',
  'b1',
  '#type',
  '@timestamp',
  'x.y',
  'a[0].b',
  'm[]',
  '400',
  'case',
  'match',
  'count',
  'grød',
];
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('', '"', '\\', '\\d', 'a b', '\n\t', '*', 'true', 'and'),
);

const field: fc.Arbitrary<FieldNode> = fc.oneof(
  fc.record({
    kind: fc.constant('Field'),
    name: fc.constantFrom(...words),
    quoted: fc.constant(false),
    span,
  }),
  fc.record({ kind: fc.constant('Field'), name: text, quoted: fc.constant(true), span }),
);

const bareText = fc.stringMatching(/^[a-zA-Z0-9_*+~.#@-][a-zA-Z0-9_*+~.#@:-]{0,6}(\/[a-z*]{1,3})?$/);
const quotedPattern = fc.record({ kind: fc.constant('Pattern'), text, quoted: fc.constant(true), span });
const pattern: fc.Arbitrary<PatternNode> = fc.oneof(
  fc.record({
    kind: fc.constant('Pattern'),
    text: fc.oneof(
      bareText,
      fc.constantFrom('*', '**', 'and', 'or', 'true', 'count', '~x', '~', 'https://x/y'),
    ),
    quoted: fc.constant(false),
    span,
  }),
  quotedPattern,
);

// The `x` prevents keywords, function names, `true` and `false`.
const freePattern: fc.Arbitrary<PatternNode> = fc.oneof(
  fc.record({
    kind: fc.constant('Pattern'),
    text: bareText.map((end) => `x${end}`),
    quoted: fc.constant(false),
    span,
  }),
  quotedPattern,
);

const regexPart = fc.constantFrom(
  'a',
  ' ',
  '.',
  '*?',
  '/',
  '\\\\',
  '\\.',
  '\\d',
  '[^"]',
  '(?<n.m>x)',
  '$',
  "'",
  'é',
);
const regex: fc.Arbitrary<RegexNode> = fc.record({
  kind: fc.constant('Regex'),
  body: fc.array(regexPart, { minLength: 0, maxLength: 5 }).map((parts) => `^${parts.join('')}`),
  flags: fc.constantFrom('', 'i', 'iF', 'dgm'),
  span,
});

const number: fc.Arbitrary<NumberNode> = fc.record({
  kind: fc.constant('Number'),
  text: fc.oneof(fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
  quoted: fc.boolean(),
  span,
});

const parameterName = fc.oneof(
  fc.record({
    name: fc.constantFrom('p', 'a-b', 'x.y:z', 'a*b', '~t', 'end:', '@d'),
    quoted: fc.constant(false),
  }),
  fc.record({ name: text, quoted: fc.constant(true) }),
);
const parameter: fc.Arbitrary<ParameterNode> = fc
  .record({ kind: fc.constant('Parameter'), defaultValue: pattern, span }, { requiredKeys: ['kind', 'span'] })
  .chain((rest) => parameterName.map((name) => ({ ...name, ...rest })));

const functionName = fc.constantFrom('count', 'groupBy', 'array:contains', 'IN', 'match', 'if');
const bareword = fc.constantFrom(...words, '5m', '1.5', 'true', '*', '*p-q*', 'a:b', '8.8.8.8', 'and');
const binaryOperator = fc.constantFrom<BinaryOperator>(
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '<=>',
  '+',
  '-',
  '*',
  '/',
  '%',
);

type Nodes = {
  pipeline: PipelineNode;
  step: StepNode;
  filter: FilterNode;
  call: CallNode;
  assignment: AssignmentNode;
  expression: ExpressionNode;
  subquery: SubqueryNode;
  argument: ArgumentNode;
  savedQuery: SavedQueryNode;
};

/** Words that end in a star, which are only valid as a complete argument or element. */
const starredPattern = fc.record({
  kind: fc.constant('Bareword'),
  text: fc.constantFrom('web*', 'a.b-c*', 'x*y*', 'https://h*', '#t*', '10.0.0.*'),
  span,
});

const nodes = fc.letrec<Nodes>((tie) => ({
  pipeline: fc.record({
    kind: fc.constant('Pipeline'),
    steps: fc.array(tie('step'), { minLength: 1, maxLength: 3, depthIdentifier: 'query' }),
    span,
  }),
  step: fc.oneof(
    { depthIdentifier: 'query', depthSize: 'small' },
    tie('filter'),
    tie('assignment'),
    tie('savedQuery'),
    fc.record({ kind: fc.constant('FieldCall'), field, negated: fc.boolean(), call: tie('call'), span }),
    fc.record({
      kind: fc.constant('Case'),
      clauses: fc.array(tie('pipeline'), { minLength: 1, maxLength: 3 }),
      span,
    }),
    fc.record({
      kind: fc.constant('Match'),
      field,
      arms: fc.array(
        fc.record({
          kind: fc.constant('MatchArm'),
          guard: fc.oneof(pattern, regex, parameter, tie('call')),
          pipeline: tie('pipeline'),
          span,
        }),
        { minLength: 1, maxLength: 3 },
      ),
      span,
    }),
    fc.record({
      kind: fc.constant('Stats'),
      functions: fc.record({
        kind: fc.constant('Array'),
        elements: fc.array(tie('call'), { maxLength: 3 }),
        span,
      }),
      span,
    }),
  ),
  filter: fc.oneof(
    { depthIdentifier: 'query', depthSize: 'small' },
    fc.record({ kind: fc.constant('FreeText'), value: fc.oneof(freePattern, regex, parameter), span }),
    fc.record({ kind: fc.constant('Boolean'), value: fc.boolean(), span }),
    fc.record({
      kind: fc.constant('Comparison'),
      field,
      operator: fc.constantFrom<ComparisonOperator>('=', '!='),
      value: fc.oneof(pattern, regex, parameter, tie('call')),
      span,
    }),
    fc.record({
      kind: fc.constant('Comparison'),
      field,
      operator: fc.constant<ComparisonOperator>('like'),
      value: fc.oneof(pattern, regex, parameter),
      span,
    }),
    fc.record({
      kind: fc.constant('Comparison'),
      field,
      operator: fc.constantFrom<ComparisonOperator>('<', '<=', '>', '>='),
      value: fc.oneof(number, parameter),
      span,
    }),
    fc.record({
      kind: fc.constant('Comparison'),
      field,
      operator: fc.constant<ComparisonOperator>('<=>'),
      value: field,
      span,
    }),
    tie('call'),
    fc.record({ kind: fc.constant('Not'), operand: tie('filter'), span }),
    fc.record({
      kind: fc.constantFrom('And', 'Or'),
      operands: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      span,
    }),
  ),
  call: fc.record({
    kind: fc.constant('Call'),
    name: functionName,
    nameSpan: span,
    arguments: fc.array(tie('argument'), { maxLength: 3, depthIdentifier: 'query' }),
    span,
  }),
  assignment: fc.record({ kind: fc.constant('Assignment'), target: field, value: tie('expression'), span }),
  expression: fc.oneof(
    { depthIdentifier: 'query', depthSize: 'small' },
    fc.record({ kind: fc.constant('Bareword'), text: bareword, span }),
    fc.record({ kind: fc.constant('String'), value: text, span }),
    parameter,
    tie('call'),
    tie('savedQuery'),
    tie('subquery'),
    fc.record({
      kind: fc.constant('Array'),
      elements: fc.array(fc.oneof(tie('expression'), tie('assignment'), starredPattern), { maxLength: 3 }),
      span,
    }),
    fc.record({
      kind: fc.constant('Unary'),
      operator: fc.constantFrom('-', '!'),
      operand: tie('expression'),
      span,
    }),
    fc.record({
      kind: fc.constant('Binary'),
      operator: binaryOperator,
      left: tie('expression'),
      right: tie('expression'),
      span,
    }),
  ),
  subquery: fc.record(
    {
      kind: fc.constant('Subquery'),
      name: fc.constantFrom('A', 'Name2'),
      pipeline: fc.oneof(
        tie('pipeline'),
        fc.record({ kind: fc.constant('Pipeline'), steps: fc.constant<StepNode[]>([]), span }),
      ),
      span,
    },
    { requiredKeys: ['kind', 'pipeline', 'span'] },
  ),
  argument: fc.oneof(
    fc.record(
      {
        kind: fc.constant('Argument'),
        name: field,
        value: fc.oneof(tie('expression'), regex, starredPattern),
        span,
      },
      { requiredKeys: ['kind', 'value', 'span'] },
    ),
    fc.record({
      kind: fc.constant('Argument'),
      value: tie('subquery'),
      attributes: fc.array(
        fc.record({
          kind: fc.constant('Attribute'),
          name: fc.constantFrom('include', 'other'),
          value: tie('expression'),
          span,
        }),
        { minLength: 1, maxLength: 2 },
      ),
      span,
    }),
  ),
  savedQuery: fc
    .record({
      kind: fc.constant('SavedQuery'),
      arguments: fc.array(
        fc.record({
          kind: fc.constant('Argument'),
          name: field,
          value: fc.oneof(
            tie('expression'),
            fc.record({
              kind: fc.constant('Bareword'),
              text: fc.constantFrom('a-b', '~x', '-5', 'x/y', '*'),
              span,
            }),
          ),
          span,
        }),
        { maxLength: 2, depthIdentifier: 'query' },
      ),
      span,
    })
    .chain((rest) =>
      fc
        .oneof(
          fc.record({ name: fc.constantFrom('q', 'pkg/name:query-1'), quoted: fc.constant(false) }),
          fc.record({ name: text, quoted: fc.constant(true) }),
        )
        .map((name) => ({ ...name, ...rest })),
    ),
}));

export const anyPipeline = nodes.pipeline;
