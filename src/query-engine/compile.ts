import { type FilterNode, type PipelineNode, parse, print, type StepNode } from '../query-language/index.ts';
import { joinSteps } from './aggregate-argument.ts';
import { compileStep } from './compile-step.ts';
import { Compiler } from './compiler.ts';
import { aggregatePlan, filterPlan, type Plan } from './plan.ts';
import type { CompiledStep } from './scope.ts';

export interface CompileOptions {
  /** Values for `?name` in the query. A parameter without value and default is `*`. @default {} */
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * Compiles a query.
 *
 * @throws QuerySyntaxError when the text can't be parsed.
 * @throws QueryError when it can't be run: an unknown function, a wrong argument, a bad regular expression.
 */
export function compileQuery(queryString: string, options: CompileOptions = {}): Plan {
  const tree = parse(queryString);
  const compiler = new Compiler(queryString, tree, options.arguments ?? {});
  const before: StepNode[] = [];
  const compiled: CompiledStep[] = [];
  let isAggregate = false;
  for (const node of tree.steps.flatMap(conjunctsOf)) {
    const steps = compileStep(node, compiler);
    compiled.push(...steps);
    isAggregate ||= steps.some(({ kind }) => kind === 'aggregate');
    if (!isAggregate) before.push(node);
  }
  const filterQueryString = printSteps(before, tree);
  const aggregate = joinSteps(compiled);
  if (aggregate !== undefined) return aggregatePlan(aggregate, filterQueryString);
  return filterPlan(
    compiled.flatMap((step) => (step.kind === 'stream' ? step.step : [])),
    filterQueryString,
  );
}

/** `a b` is as good as `a | b`, and b may be an aggregate. */
function conjunctsOf(node: StepNode): readonly StepNode[] {
  return node.kind === 'And' ? node.operands.flatMap<FilterNode | StepNode>(conjunctsOf) : [node];
}

function printSteps(steps: readonly StepNode[], tree: PipelineNode): string {
  return steps.length === 0 ? '*' : print({ ...tree, steps });
}
