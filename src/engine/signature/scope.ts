import type {
  CallNode,
  ExpressionNode,
  ParameterNode,
  PipelineNode,
  SavedQueryNode,
  Span,
} from '../../language/index.ts';
import type { Expression, Predicate } from '../columns/expression.ts';
import type { AggregateStep, StreamStep } from '../operators/operator.ts';
import type { Plan } from '../plan/plan.ts';
import type { QueryLibrary } from '../query-library.ts';
import type { PlanDraft } from './plan-draft.ts';

/** A step of a pipeline. */
export type CompiledStep =
  | { readonly kind: 'stream'; readonly step: StreamStep }
  | { readonly kind: 'aggregate'; readonly step: AggregateStep };

/** A compiled call, by what it can be used for. */
export type CompiledCall =
  /** `step` exists if the filter also extracts fields; `test` alone never does. */
  | { readonly kind: 'filter'; readonly test: Predicate; readonly step?: StreamStep }
  /** `as` is the field that a call standing as a step writes; a function without a usual one has `undefined`. */
  | { readonly kind: 'value'; readonly value: Expression; readonly as: string | undefined }
  | { readonly kind: 'transform'; readonly step: StreamStep }
  | { readonly kind: 'aggregate'; readonly step: AggregateStep }
  /** It has done its work when it is compiled. */
  | { readonly kind: 'definition' };

/** Arguments from the context of the call: `f := fn()` sets `as`, `f =~ fn()` sets `field`. */
export interface PresetArguments {
  readonly as?: string;
  readonly field?: string;
}

/** A parameter of the query. `given` is false if it has neither a value nor a default. */
export interface ParameterValue {
  readonly text: string;
  readonly given: boolean;
}

/** What the parts of the compiler need from each other. */
export interface Scope {
  /** Lookup files and saved queries that the query can use. */
  readonly library: QueryLibrary;
  /** @throws QueryError */
  fail(span: Span, problem: string): never;
  /** Adds a warning to every result, naming the function whose arguments are being compiled. */
  warn(problem: string): void;
  /** The query's text at a span. */
  textAt(span: Span): string;
  /** @throws QueryError for a parameter with a list of values */
  parameter(node: ParameterNode): ParameterValue;
  /** The values of a saved query's parameter that is an array; `undefined` for any other. */
  parameterList(node: ParameterNode): readonly string[] | undefined;
  expression(node: ExpressionNode): Expression;
  /** A filter that can't extract fields: `{ status >= 400 }` or a call. */
  condition(node: ExpressionNode): Predicate;
  call(node: CallNode, presets?: PresetArguments): CompiledCall;
  /** An aggregate argument: a call, a list, or `{ … }`. */
  aggregate(node: ExpressionNode): AggregateStep;
  /** The steps of a pipeline that can't aggregate, such as a branch of `case`. */
  streamSteps(pipeline: PipelineNode, where: string): readonly StreamStep[];
  steps(pipeline: PipelineNode): readonly CompiledStep[];
  /** A subquery, which is prepared separately. */
  subPlan(pipeline: PipelineNode): Plan;
  /** Compiles the steps of a saved query with the arguments of a call. @throws QueryError */
  inSavedQuery<T>(node: SavedQueryNode, compile: (pipeline: PipelineNode, scope: Scope) => T): T;
  /** The plan that the current step belongs to. */
  readonly draft: PlanDraft;
  /** The function whose argument is being compiled; `undefined` for a step of the query. */
  readonly caller: string | undefined;
  /** Whether an aggregate precedes the current step, so that its rows have an order. */
  readonly isAfterAggregate: boolean;
  /** Whether the rows of the current step are events, which free text can search. */
  readonly isFreeTextAllowed: boolean;
}
