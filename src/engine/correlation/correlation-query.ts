import type {
  AttributeNode,
  ComparisonNode,
  FieldNode,
  PipelineNode,
  StepNode,
} from '../../language/index.ts';
import { conjunctsOf } from '../../language/operator-chain.ts';
import type { StreamStep } from '../operators/operator.ts';
import { type ArgumentType, fieldNames } from '../signature/argument-types.ts';
import type { Scope } from '../signature/scope.ts';

/** One of the queries in `correlate(name: { … } include: [fields])`. */
export interface CorrelationQuery {
  readonly name: string;
  readonly steps: readonly StreamStep[];
  /** `field <=> other`: fields that must be equal; the other one is still written `query.field`. */
  readonly links: readonly { readonly field: string; readonly other: string }[];
  readonly include: readonly string[];
}

export const correlationQueries: ArgumentType<readonly CorrelationQuery[]> = {
  expects: 'named queries such as login: { action=login } include: [user]',
  isList: true,
  join: (earlier, later) => [
    ...(earlier as readonly CorrelationQuery[]),
    ...(later as readonly CorrelationQuery[]),
  ],
  read(node, scope, attributes = []) {
    if (node.kind !== 'Subquery' || node.name === undefined) return undefined;
    return [
      { name: node.name, ...compileQuery(node.pipeline, scope), include: readInclude(attributes, scope) },
    ];
  },
};

function readInclude(attributes: readonly AttributeNode[], scope: Scope): readonly string[] {
  let include: readonly string[] = [];
  for (const { name, value, span } of attributes) {
    if (name !== 'include')
      scope.fail(span, `A query in correlate() has no attribute "${name}", only include`);
    include = fieldNames.read(value, scope) ?? scope.fail(value.span, '"include" must be field names');
  }
  return include;
}

/** Separates the links from a query; they may be nested in "and". */
function compileQuery(pipeline: PipelineNode, scope: Scope): Pick<CorrelationQuery, 'steps' | 'links'> {
  const conjuncts = pipeline.steps.flatMap(conjunctsOf);
  const links = conjuncts
    .filter(isLink)
    .map(({ field, value }) => ({ field: field.name, other: value.name }));
  const steps = scope.streamSteps(
    { ...pipeline, steps: conjuncts.filter((node) => !isLink(node)) },
    'correlate',
  );
  return { steps, links };
}

function isLink(node: StepNode): node is ComparisonNode & { readonly value: FieldNode } {
  return node.kind === 'Comparison' && node.operator === '<=>' && node.value.kind === 'Field';
}
