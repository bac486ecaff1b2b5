/**
 * `logclient/query-language`: parses, checks, fixes, formats and completes queries. It runs in browsers, too, and does
 * not run queries.
 */

// The nodes of the tree.
export type * from './ast.ts';
// What is wrong with a query, where, and what to write instead.
export { type CheckOptions, check, fixQuery } from './diagnostics/check.ts';
export { applyEdit, type Diagnostic, type Severity, type TextEdit } from './diagnostics/diagnostic.ts';
export type { PossibleFields, RowField } from './diagnostics/field-flow.ts';
export type { KnownField, KnownFile, KnownName, KnownSource } from './diagnostics/source-checks.ts';

// For editors.
export { type CallAround, callAround } from './editor/call-around.ts';
export { type Completion, type CompletionKind, complete } from './editor/complete.ts';
export { type Highlight, type HighlightKind, highlight } from './editor/highlight.ts';
export { type Hover, hover } from './editor/hover.ts';
// Text to tree, tree to text.
export { type FormatOptions, format } from './format/format.ts';
export { isFunctionName } from './function-names.ts';
export { describeFunction, type FunctionHelp, functionList } from './functions/function-help.ts';
export type {
  FunctionKind,
  FunctionSignature,
  ParameterSignature,
  ValueForm,
} from './functions/signature.ts';
export { chainOf, conjunctsOf, type OperatorChain } from './operator-chain.ts';
export { parse } from './parse.ts';
export { print } from './printer.ts';
export {
  aggregateOf,
  falseFields,
  groupKeys,
  resultFields,
  resultNumbers,
} from './result-fields.ts';
export { describeProblem, type ProblemDescription, positionAt, type SourcePosition } from './source.ts';
export { QuerySyntaxError, QueryTextError } from './syntax-error.ts';
export type { ParseOptions } from './syntax-tree.ts';
// Looking at a tree.
export { childrenOf, type QueryVisitor, walk } from './walk.ts';
