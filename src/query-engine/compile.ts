import {
  type FilterNode,
  type PipelineNode,
  parse,
  print,
  type StepNode,
  walk,
} from '../query-language/index.ts';
import { joinSteps } from './aggregate-argument.ts';
import { regexSource } from './argument-types.ts';
import { compileStep } from './compile-step.ts';
import { Compiler } from './compiler.ts';
import { findFunction } from './functions/registry.ts';
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
  const facts = { filterQueryString: printSteps(before, tree), hasRegex: hasRegex(tree) };
  const aggregate = joinSteps(compiled);
  if (aggregate !== undefined) return aggregatePlan(aggregate, facts);
  return filterPlan(
    compiled.flatMap((step) => (step.kind === 'stream' ? step.step : [])),
    facts,
  );
}

/** `a b` is as good as `a | b`, and b may be an aggregate. */
function conjunctsOf(node: StepNode): readonly StepNode[] {
  return node.kind === 'And' ? node.operands.flatMap<FilterNode | StepNode>(conjunctsOf) : [node];
}

function hasRegex(tree: PipelineNode): boolean {
  let found = false;
  walk(tree, {
    Regex() {
      found = true;
    },
    Call({ name }) {
      const parameters = Object.values(findFunction(name)?.parameters ?? {});
      found ||= parameters.some(({ type }) => type === regexSource);
    },
  });
  return found;
}

function printSteps(steps: readonly StepNode[], tree: PipelineNode): string {
  return steps.length === 0 ? '*' : print({ ...tree, steps });
}
