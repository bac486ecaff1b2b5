import type {
  CallNode,
  ExpressionNode,
  ParameterNode,
  PipelineNode,
  SavedQueryNode,
  Span,
} from '../../query-language/index.ts';
import type { Expression, Predicate } from '../columns/expression.ts';
import type { AggregateStep, StreamStep } from '../operators/operator.ts';
import type { QueryLibrary } from '../query-library.ts';
import type { Plan } from '../run/plan.ts';
import type { PlanDraft } from './plan-draft.ts';

/** A step that stands for itself in a pipeline. */
export type CompiledStep =
  | { readonly kind: 'stream'; readonly step: StreamStep }
  | { readonly kind: 'aggregate'; readonly step: AggregateStep };

/** A call, by what it can be used for. */
export type CompiledCall =
  /** `step` is there when the filter also extracts fields; `test` alone never does. */
  | { readonly kind: 'filter'; readonly test: Predicate; readonly step?: StreamStep }
  /** `as` is the field that a call standing as a step writes; a function without a usual one has `undefined`. */
  | { readonly kind: 'value'; readonly value: Expression; readonly as: string | undefined }
  | { readonly kind: 'transform'; readonly step: StreamStep }
  | { readonly kind: 'aggregate'; readonly step: AggregateStep }
  /** It has done its work when it is compiled. */
  | { readonly kind: 'definition' };

/** Values for parameters that come from around the call: `f := fn()` gives `as`, `f =~ fn()` gives `field`. */
export interface PresetArguments {
  readonly as?: string;
  readonly field?: string;
}

/** A parameter of the query. `given` is false when neither an argument nor a default says what it is. */
export interface ParameterValue {
  readonly text: string;
  readonly given: boolean;
}

/** What the parts of the compiler need of each other. */
export interface Scope {
  /** The lookup files and saved queries that the query can name. */
  readonly library: QueryLibrary;
  /** @throws QueryError */
  fail(span: Span, problem: string): never;
  /** Adds a warning to every result, with the name of the function whose arguments are being compiled. */
  warn(problem: string): void;
  /** The text of the query at a place. */
  textAt(span: Span): string;
  /** @throws QueryError for a parameter with a list of values */
  parameter(node: ParameterNode): ParameterValue;
  /** The values of a parameter to which a call of a saved query gives an array; `undefined` for any other. */
  parameterList(node: ParameterNode): readonly string[] | undefined;
  expression(node: ExpressionNode): Expression;
  /** A filter that can't extract: `{ status >= 400 }` or a call. */
  condition(node: ExpressionNode): Predicate;
  call(node: CallNode, presets?: PresetArguments): CompiledCall;
  /** Whether the function of a call has a parameter of this name. */
  takes(node: CallNode, parameter: string): boolean;
  /** An aggregate argument: a call, a list, or `{ … }`. */
  aggregate(node: ExpressionNode): AggregateStep;
  /** The steps of a pipeline in which no aggregate may stand, such as the clauses of `case`. */
  streamSteps(pipeline: PipelineNode, where: string): readonly StreamStep[];
  steps(pipeline: PipelineNode): readonly CompiledStep[];
  /** A query inside the query, with preparations of its own. */
  subPlan(pipeline: PipelineNode): Plan;
  /** Compiles the steps of a saved query where it is called, with its arguments. @throws QueryError */
  inSavedQuery<T>(node: SavedQueryNode, compile: (pipeline: PipelineNode, scope: Scope) => T): T;
  /** The plan that the step being compiled belongs to. */
  readonly draft: PlanDraft;
  /** The function whose argument the call is that is being compiled; `undefined` for a step of the query. */
  readonly caller: string | undefined;
  /** Whether an aggregate comes before the step that is being compiled, so that its rows have an order. */
  readonly isAfterAggregate: boolean;
  /** Whether the rows of the step that is being compiled are events, which free text can search. */
  readonly isFreeTextAllowed: boolean;
}
