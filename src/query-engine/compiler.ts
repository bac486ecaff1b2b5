import { nearestName } from '../internal/option-checks.ts';
import {
  type CallNode,
  type ExpressionNode,
  isFunctionName,
  type ParameterNode,
  type PipelineNode,
  type Span,
  walk,
} from '../query-language/index.ts';
import { compileAggregate } from './aggregate-argument.ts';
import { bindArguments } from './arguments.ts';
import { compileStep } from './compile-step.ts';
import { compileExpression } from './expression.ts';
import { compileCondition } from './filter.ts';
import type { FunctionSpec } from './function-spec.ts';
import { findFunction, functionNames } from './functions/registry.ts';
import type { AggregateStep, StreamStep } from './operator.ts';
import { QueryError } from './query-error.ts';
import type {
  CompiledCall,
  CompiledStep,
  Evaluate,
  ParameterValue,
  Predicate,
  PresetArguments,
  Scope,
} from './scope.ts';

/** Turns one query into steps, and is what the parts of the compiler ask for everything around them. */
export class Compiler implements Scope {
  readonly #source: string;
  readonly #parameters: ReadonlyMap<string, string>;

  constructor(source: string, tree: PipelineNode, given: Readonly<Record<string, string>>) {
    this.#source = source;
    const parameters = new Map<string, string>();
    // The first default of a parameter counts for all its places.
    walk(tree, {
      Parameter({ name, defaultValue }) {
        if (defaultValue !== undefined && !parameters.has(name)) parameters.set(name, defaultValue.text);
      },
    });
    for (const [name, value] of Object.entries(given)) parameters.set(name, value);
    this.#parameters = parameters;
  }

  fail(span: Span, problem: string): never {
    throw new QueryError(problem, this.#source, span);
  }

  textAt({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  parameter({ name }: ParameterNode): ParameterValue {
    const text = this.#parameters.get(name);
    return { text: text ?? '*', given: text !== undefined };
  }

  expression(node: ExpressionNode): Evaluate {
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
    for (const name of Object.keys(presets)) {
      if (!Object.hasOwn(spec.parameters, name)) {
        this.fail(
          node.nameSpan,
          `${spec.name}() has no parameter "${name}", so ${SHORTHANDS[name]} can't be used with it`,
        );
      }
    }
    const { args, site } = bindArguments(spec, node, presets, this);
    return spec.compile(args, site);
  }

  takes(node: CallNode, parameter: string): boolean {
    return Object.hasOwn(this.#find(node).parameters, parameter);
  }

  steps(pipeline: PipelineNode): readonly CompiledStep[] {
    return pipeline.steps.flatMap((step) => compileStep(step, this));
  }

  streamSteps(pipeline: PipelineNode, where: string): readonly StreamStep[] {
    return pipeline.steps.flatMap((node) =>
      compileStep(node, this).map((compiled) =>
        compiled.kind === 'stream'
          ? compiled.step
          : this.fail(
              node.span,
              `An aggregate function can't stand inside ${where} { … }: put it after the braces`,
            ),
      ),
    );
  }

  #find(node: CallNode): FunctionSpec {
    const spec = findFunction(node.name);
    if (spec !== undefined) return spec;
    if (isFunctionName(node.name)) {
      return this.fail(node.nameSpan, `The function "${node.name}" is not supported by the local server`);
    }
    const nearest = nearestName(node.name, functionNames());
    const hint = nearest === undefined ? '' : `. Did you mean "${nearest}"?`;
    return this.fail(node.nameSpan, `There is no function "${node.name}"${hint}`);
  }
}

const SHORTHANDS: Readonly<Record<string, string>> = { as: ':=', field: '=~' };
