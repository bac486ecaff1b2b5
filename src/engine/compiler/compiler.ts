import { checkCall } from '../../language/diagnostics/call-checks.ts';
import { missingFunctionProblem } from '../../language/functions/find-function.ts';
import type {
  CallNode,
  ExpressionNode,
  ParameterNode,
  PipelineNode,
  SavedQueryNode,
  Span,
  StepNode,
} from '../../language/index.ts';
import { parameterDefaults } from '../../language/parameter-defaults.ts';
import type { Expression, Predicate } from '../columns/expression.ts';
import { findFunction } from '../functions/registry.ts';
import type { AggregateStep, StreamStep } from '../operators/operator.ts';
import type { Plan } from '../plan/plan.ts';
import { QueryError } from '../query-error.ts';
import type { QueryLibrary } from '../query-library.ts';
import type { FunctionSpec } from '../signature/function-spec.ts';
import { PlanDraft } from '../signature/plan-draft.ts';
import type {
  CompiledCall,
  CompiledStep,
  ParameterValue,
  PresetArguments,
  Scope,
} from '../signature/scope.ts';
import { compileAggregate, FIRST_PASS } from './aggregate-argument.ts';
import { bindArguments } from './arguments.ts';
import type { Compilation } from './compilation.ts';
import { compileExpression } from './compile-expression.ts';
import { compilePlan } from './compile-plan.ts';
import { compileCondition, compileStep } from './filter.ts';
import {
  type GivenValue,
  readingErrorsOf,
  requireSavedQuery,
  savedQueryArguments,
} from './saved-query-call.ts';

export interface CompilerOptions {
  /** The query and its syntax tree. */
  readonly source: string;
  readonly tree: PipelineNode;
  readonly compilation: Compilation;
  /** The plan that the steps belong to. */
  readonly draft: PlanDraft;
  /** Values of parameters. */
  readonly given: Iterable<readonly [string, GivenValue]>;
  readonly savedQueries?: readonly string[];
}

/** Compiles one query to steps. The other parts of the compiler use it as their {@link Scope}. */
export class Compiler implements Scope {
  readonly draft: PlanDraft;
  isAfterAggregate = false;
  isFreeTextAllowed = true;
  readonly #source: string;
  readonly #compilation: Compilation;
  /** The saved queries that enclose this one, outermost first. */
  readonly #savedQueries: readonly string[];
  readonly #parameters: ReadonlyMap<string, GivenValue>;
  /** The functions whose arguments are being compiled, innermost last. */
  readonly #calls: string[] = [];

  constructor({ source, tree, compilation, draft, given, savedQueries = [] }: CompilerOptions) {
    this.#source = source;
    this.#compilation = compilation;
    this.draft = draft;
    this.#savedQueries = savedQueries;
    const own = [...parameterDefaults(tree)].filter((one): one is [string, string] => one[1] !== undefined);
    this.#parameters = new Map<string, GivenValue>([...own, ...given]);
  }

  get library(): QueryLibrary {
    return this.#compilation.library;
  }

  fail(span: Span, problem: string): never {
    throw new QueryError(problem, this.#source, span);
  }

  warn(problem: string): void {
    const call = this.#calls.at(-1);
    this.draft.warnings.add(call === undefined ? problem : `${call}(): ${problem}`);
  }

  textAt({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  parameter({ name, span }: ParameterNode): ParameterValue {
    const value = this.#parameters.get(name);
    if (typeof value === 'object') {
      const hint = `which is only allowed where an array is, such as in(values=?${name})`;
      return this.fail(span, `?${name} is an array, ${hint}`);
    }
    return { text: value ?? '*', given: value !== undefined };
  }

  parameterList({ name }: ParameterNode): readonly string[] | undefined {
    const value = this.#parameters.get(name);
    return typeof value === 'object' ? value : undefined;
  }

  expression(node: ExpressionNode): Expression {
    return compileExpression(node, this);
  }

  condition(node: ExpressionNode): Predicate {
    return compileCondition(node, this);
  }

  aggregate(node: ExpressionNode): AggregateStep {
    return compileAggregate(node, this);
  }

  call(node: CallNode, presets: PresetArguments = {}): CompiledCall {
    const spec = this.#find(node);
    const [problem] = checkCall(node, Object.keys(presets), this.#source);
    if (problem !== undefined) {
      const { message, fix, propose } = problem;
      const hint = fix === undefined || propose === undefined ? '' : ` ${propose(fix.text)}`;
      this.fail(problem.span, `${message}${hint}`.replace(/\.$/, ''));
    }
    this.#calls.push(spec.name);
    const { args, site } = bindArguments(spec, node, presets, this);
    const compiled = spec.compile(args, site);
    this.#calls.pop();
    return compiled;
  }

  get caller(): string | undefined {
    return this.#calls.at(-2);
  }

  steps(pipeline: PipelineNode): readonly CompiledStep[] {
    const outside = [this.isAfterAggregate, this.isFreeTextAllowed] as const;
    const steps = pipeline.steps.flatMap((step) => this.nextStep(step));
    [this.isAfterAggregate, this.isFreeTextAllowed] = outside;
    return steps;
  }

  nextStep(node: StepNode): readonly CompiledStep[] {
    if (node.kind === 'Call' && this.#find(node).kind === 'definition') {
      this.call(node);
      return [];
    }
    // A saved query may consist of definitions.
    if (node.kind !== 'SavedQuery') this.draft.stage = 'steps';
    const steps = compileStep(node, this);
    for (const compiled of steps) {
      if (compiled.kind !== 'aggregate') continue;
      this.isAfterAggregate = true;
      // createEvents() starts with events again.
      this.isFreeTextAllowed &&= compiled.step.ignoresInput === true;
    }
    return steps;
  }

  subPlan(pipeline: PipelineNode): Plan {
    const draft = new PlanDraft(this.draft);
    const compiler = new Compiler({
      source: this.#source,
      tree: pipeline,
      compilation: this.#compilation,
      draft,
      given: this.#parameters,
      savedQueries: this.#savedQueries,
    });
    return compilePlan(pipeline, compiler, this.#compilation);
  }

  inSavedQuery<T>(node: SavedQueryNode, compile: (pipeline: PipelineNode, scope: Scope) => T): T {
    const place = { scope: this, compilation: this.#compilation };
    const saved = requireSavedQuery(node, this.#savedQueries, place);
    const scope = new Compiler({
      source: saved.text,
      tree: saved.tree,
      compilation: this.#compilation,
      draft: this.draft,
      given: [...this.#parameters, ...savedQueryArguments(node, saved, place)],
      savedQueries: [...this.#savedQueries, node.name],
    });
    scope.isAfterAggregate = this.isAfterAggregate;
    scope.isFreeTextAllowed = this.isFreeTextAllowed;
    return readingErrorsOf(node, this, () => compile(saved.tree, scope));
  }

  streamSteps(pipeline: PipelineNode, where: string): readonly StreamStep[] {
    return pipeline.steps.flatMap((node) =>
      compileStep(node, this).map((compiled) => {
        if (compiled.kind === 'aggregate') {
          const hint = `is not allowed inside ${where} { … }: put it after the braces`;
          return this.fail(node.span, `An aggregate function ${hint}`);
        }
        if (compiled.step.firstPass === undefined) return compiled.step;
        return this.fail(node.span, `${FIRST_PASS} inside ${where} { … }`);
      }),
    );
  }

  #find(node: CallNode): FunctionSpec {
    const spec = findFunction(node.name);
    if (spec !== undefined) return spec;
    return this.fail(node.nameSpan, missingFunctionProblem(node));
  }
}
