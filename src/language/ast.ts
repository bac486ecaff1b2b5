/** The syntax tree of a query. Nodes are plain, immutable objects with a `kind`. */

/** A range of the source, in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly span: Span;
}

/** Steps joined with `|`: a whole query, a clause of `case`, an arm of `match`, or the content of `{…}`. */
export interface PipelineNode extends Node<'Pipeline'> {
  readonly steps: readonly StepNode[];
}

export type StepNode =
  | FilterNode
  | AssignmentNode
  | FieldCallNode
  | CaseNode
  | MatchNode
  | StatsNode
  | SavedQueryNode;

/** `field := expression` */
export interface AssignmentNode extends Node<'Assignment'> {
  readonly target: FieldNode;
  readonly value: ExpressionNode;
}

/** `field =~ call(…)`, `field =~ !call(…)` */
export interface FieldCallNode extends Node<'FieldCall'> {
  readonly field: FieldNode;
  readonly negated: boolean;
  readonly call: CallNode;
}

/** `case { a; b; * | c }` */
export interface CaseNode extends Node<'Case'> {
  readonly clauses: readonly PipelineNode[];
}

/** `field match { guard => pipeline; … }` */
export interface MatchNode extends Node<'Match'> {
  readonly field: FieldNode;
  readonly arms: readonly MatchArmNode[];
}

export interface MatchArmNode extends Node<'MatchArm'> {
  readonly guard: GuardNode;
  readonly pipeline: PipelineNode;
}

/** An unquoted `*` guard is a `PatternNode` with text `*`. It also accepts events without the field. */
export type GuardNode = PatternNode | RegexNode | CallNode | ParameterNode;

/** `[count(), max(x)]` as a step: short for `stats([…])`. */
export interface StatsNode extends Node<'Stats'> {
  readonly functions: ArrayNode;
}

/** `$name(arg=value)` */
export interface SavedQueryNode extends Node<'SavedQuery'> {
  readonly name: string;
  readonly quoted: boolean;
  readonly arguments: readonly ArgumentNode[];
}

export type FilterNode = AndNode | OrNode | NotNode | BooleanNode | ComparisonNode | FreeTextNode | CallNode;

/** `a b` or `a and b`; binds looser than `or`. */
export interface AndNode extends Node<'And'> {
  readonly operands: readonly FilterNode[];
}

export interface OrNode extends Node<'Or'> {
  readonly operands: readonly FilterNode[];
}

export interface NotNode extends Node<'Not'> {
  readonly operand: FilterNode;
}

/** The filters `true` and `false`. */
export interface BooleanNode extends Node<'Boolean'> {
  readonly value: boolean;
}

export type ComparisonOperator = '=' | '!=' | 'like' | '<' | '<=' | '>' | '>=' | '<=>';

/** Compares a field with a literal. For `<=>` the value is a field; for `<`, `<=`, `>` and `>=`, a number or parameter. */
export interface ComparisonNode extends Node<'Comparison'> {
  readonly field: FieldNode;
  readonly operator: ComparisonOperator;
  readonly value: PatternNode | RegexNode | CallNode | ParameterNode | NumberNode | FieldNode;
}

/** A pattern, regex or parameter without a field, which is searched for in every searchable field. */
export interface FreeTextNode extends Node<'FreeText'> {
  readonly value: PatternNode | RegexNode | ParameterNode;
}

/** A field name; `quoted` is true if it was written as `"name"`. */
export interface FieldNode extends Node<'Field'> {
  readonly name: string;
  readonly quoted: boolean;
}

/** Text in which `*` matches any characters. Escapes of a quoted pattern are resolved. */
export interface PatternNode extends Node<'Pattern'> {
  readonly text: string;
  readonly quoted: boolean;
}

/** `/body/flags`, with the body as written, except that `\/` is resolved to `/`. */
export interface RegexNode extends Node<'Regex'> {
  readonly body: string;
  readonly flags: string;
}

/** The number after `<`, `<=`, `>` or `>=`, as written; `quoted` is true if it was in quotes. */
export interface NumberNode extends Node<'Number'> {
  readonly text: string;
  readonly quoted: boolean;
}

/** `?name`, `?{name=default}` */
export interface ParameterNode extends Node<'Parameter'> {
  readonly name: string;
  readonly quoted: boolean;
  readonly defaultValue?: PatternNode;
}

export type ExpressionNode =
  | BinaryNode
  | UnaryNode
  | StringNode
  | BarewordNode
  | CallNode
  | SavedQueryNode
  | ParameterNode
  | ArrayNode
  | SubqueryNode;

export type BinaryOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | '<=>' | '+' | '-' | '*' | '/' | '%';

export interface BinaryNode extends Node<'Binary'> {
  readonly operator: BinaryOperator;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}

export interface UnaryNode extends Node<'Unary'> {
  readonly operator: '-' | '!';
  readonly operand: ExpressionNode;
}

/** `"text"` in an expression or argument, with escapes resolved. */
export interface StringNode extends Node<'String'> {
  readonly value: string;
}

/** An unquoted word in an expression or argument: a number, a boolean, a duration, a field or a pattern. */
export interface BarewordNode extends Node<'Bareword'> {
  readonly text: string;
}

/** `[a, b, name := expression]` */
export interface ArrayNode extends Node<'Array'> {
  readonly elements: readonly (ExpressionNode | AssignmentNode)[];
}

/** `{ pipeline }` as an argument, with the name before it in `correlate(Name: {…})`. */
export interface SubqueryNode extends Node<'Subquery'> {
  readonly name?: string;
  readonly pipeline: PipelineNode;
}

/** `name(arguments)`; `name` is as written. Function names ignore case. */
export interface CallNode extends Node<'Call'> {
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: readonly ArgumentNode[];
}

/** `name=value` or an unnamed value. A filter argument is a subquery of one step. */
export interface ArgumentNode extends Node<'Argument'> {
  readonly name?: FieldNode;
  readonly value: ExpressionNode | RegexNode;
  /** `include: [a, b]` after a subquery of `correlate`. */
  readonly attributes?: readonly AttributeNode[];
}

export interface AttributeNode extends Node<'Attribute'> {
  readonly name: string;
  readonly value: ExpressionNode;
}

export type QueryNode =
  | PipelineNode
  | StepNode
  | MatchArmNode
  | GuardNode
  | FieldNode
  | NumberNode
  | ExpressionNode
  | ArgumentNode
  | AttributeNode;
