import type {
  ArgumentNode,
  ArrayNode,
  AssignmentNode,
  AttributeNode,
  BinaryOperator,
  CallNode,
  CaseNode,
  ComparisonNode,
  ComparisonOperator,
  ExpressionNode,
  FieldCallNode,
  FilterNode,
  GuardNode,
  MatchArmNode,
  MatchNode,
  PipelineNode,
  SavedQueryNode,
  StepNode,
  SubqueryNode,
  UnaryNode,
} from './ast.ts';
import { isPattern, isStarredPattern } from './character-classes.ts';
import { isFunctionName } from './function-names.ts';
import { rejectReservedWord, rejectTrailingStar } from './grammar-hints.ts';
import {
  acceptArgumentName,
  acceptLonePattern,
  isCall,
  isComparison,
  isNegation,
  parseBareword,
  parseField,
  parseNumber,
  parseParameter,
  parsePattern,
  parseRegex,
} from './terms.ts';
import type { Token, TokenKind } from './token.ts';
import { isKeyword, isText, PIPELINE_ENDS, type TokenCursor } from './token-cursor.ts';

// A recursive descent parser with one function per production of the grammar; the production is in the comment above
// it.

// Steps

const FILTER_STARTS: readonly TokenKind[] = ['(', '!', '?', 'word', 'string', 'regex'];

// Query = Pipeline
export function parseQuery(tokens: TokenCursor): PipelineNode {
  const pipeline = parsePipeline(tokens);
  const next = tokens.peek('filter');
  if (next.kind !== 'end') tokens.failExpecting('"|" or the end of the query', next);
  return pipeline;
}

// Pipeline = { '|' } [ Step { { '|' } Step } { '|' } ]
function parsePipeline(tokens: TokenCursor): PipelineNode {
  const steps: StepNode[] = [];
  tokens.skipPipes();
  while (!PIPELINE_ENDS.includes(tokens.peek('filter').kind)) {
    const step = parseStep(tokens);
    steps.push(step);
    if (!tokens.skipPipes() && !mayFollow(tokens, step)) break;
  }
  const place = tokens.peek('filter').start;
  const span = { start: steps[0]?.span.start ?? place, end: steps.at(-1)?.span.end ?? place };
  return { kind: 'Pipeline', steps, span };
}

/** Whether the next token can start a step without `|` before it. People often omit `|` at the end of a line. */
function mayFollow(tokens: TokenCursor, step: StepNode): boolean {
  const next = tokens.peek('filter');
  if (step.kind === 'SavedQuery' || tokens.hasNewlineBetween(step.span.end, next.start)) {
    return FILTER_STARTS.includes(next.kind) || specialStepAt(tokens, next) !== undefined;
  }
  if (['Assignment', 'Case', 'Match', 'Stats'].includes(step.kind)) return false;
  return specialStepAt(tokens, next) !== undefined;
}

// Step = Array | Assignment | FieldCall | Case | Match | SavedQuery | Filter
function parseStep(tokens: TokenCursor): StepNode {
  const token = tokens.peek('filter');
  if (token.kind === '[') {
    const functions = parseArray(tokens, token);
    return { kind: 'Stats', functions, span: functions.span };
  }
  const parseSpecial = specialStepAt(tokens, token);
  return parseSpecial === undefined ? parseFilter(tokens) : parseSpecial(tokens, token);
}

/** The production of a step that is not a filter. Such a step may follow a filter without `|` between them. */
function specialStepAt(
  tokens: TokenCursor,
  token: Token,
): ((tokens: TokenCursor, token: Token) => StepNode) | undefined {
  if (token.kind === '$') return parseSavedQuery;
  if (!isText(token)) return undefined;
  const next = tokens.peekAfter(token, 'filter');
  if (next.kind === ':=') return parseAssignment;
  if (next.kind === '=~') return parseFieldCallStep;
  if (next.kind === '{' && isKeyword(token, 'case')) return parseCase;
  return isKeyword(next, 'match') && tokens.peekAfter(next, 'filter').kind === '{' ? parseMatch : undefined;
}

// Assignment = Field ':=' Expression
function parseAssignment(tokens: TokenCursor, name: Token): AssignmentNode {
  const target = parseField(tokens, name);
  tokens.expect('operator', ':=');
  const value = parseExpression(tokens);
  return { kind: 'Assignment', target, value, span: tokens.spanFrom(name) };
}

// FieldCallStep = FieldCall | Filter
// The filter starts with the field call: `a =~ in(values=[1]) or b=2`.
function parseFieldCallStep(tokens: TokenCursor, name: Token): FieldCallNode | FilterNode {
  const step = parseFieldCall(tokens, name);
  const isKeywordName = ['and', 'or', 'not'].some((keyword) => isKeyword(name, keyword));
  if (!startsOperand(tokens) || isKeywordName || !isFunctionName(step.call.name)) return step;
  return parseFilter(tokens, asComparison(step));
}

// FieldCall = Field '=~' [ '!' | 'not' ] Call
function parseFieldCall(tokens: TokenCursor, name: Token): FieldCallNode {
  const field = parseField(tokens, name);
  tokens.expect('filter', '=~');
  const negated = tokens.accept('filter', '!') !== undefined || tokens.acceptKeyword('not');
  const token = tokens.peek('filter');
  if (token.kind === 'regex') {
    tokens.fail('Expected a function call after "=~"; to match a regex, write "="', token);
  }
  if (!isCall(tokens, token)) tokens.failExpecting('a function call after "=~"', token);
  const call = parseCall(tokens, token);
  return { kind: 'FieldCall', field, negated, call, span: tokens.spanFrom(name) };
}

/** Within a filter, `a =~ fn()` means `a = fn()`. */
function asComparison({ field, negated, call, span }: FieldCallNode): ComparisonNode {
  return { kind: 'Comparison', field, operator: negated ? '!=' : '=', value: call, span };
}

// Case = 'case' ( Clauses | '{' '}' ), with Pipeline as the clause
function parseCase(tokens: TokenCursor, keyword: Token): CaseNode {
  tokens.take(keyword);
  const clauses = tokens.clauses(undefined, () => parseClause(tokens, 'the clause'));
  return { kind: 'Case', clauses, span: tokens.spanFrom(keyword) };
}

// Match = Field 'match' Clauses, with Arm as the clause
function parseMatch(tokens: TokenCursor, name: Token): MatchNode {
  const field = parseField(tokens, name);
  tokens.acceptKeyword('match');
  const arms = tokens.clauses('an arm', () => parseArm(tokens));
  return { kind: 'Match', field, arms, span: tokens.spanFrom(name) };
}

/** A pipeline with at least one step. */
function parseClause(tokens: TokenCursor, place: string): PipelineNode {
  const pipeline = parsePipeline(tokens);
  if (pipeline.steps.length === 0) tokens.failExpecting(`a step in ${place}`, tokens.peek('filter'));
  return pipeline;
}

// Arm = Guard '=>' Pipeline
function parseArm(tokens: TokenCursor): MatchArmNode {
  const first = tokens.peek('filter');
  const guard = parseGuard(tokens, first);
  const next = tokens.peek('filter');
  if (next.kind === ',') {
    tokens.fail('An arm has one guard: to match several values, write in(values=[…])', next);
  }
  tokens.expect('filter', '=>', ' after the guard');
  const pipeline = parseClause(tokens, 'the arm: write "*" to keep events unchanged');
  return { kind: 'MatchArm', guard, pipeline, span: tokens.spanFrom(first) };
}

// Guard = '*' | Regex | Call | Parameter | Pattern
function parseGuard(tokens: TokenCursor, token: Token): GuardNode {
  if (token.kind === 'regex') return parseRegex(tokens, token);
  if (token.kind === '?') return parseParameter(tokens, token);
  return isCall(tokens, token) ? parseCall(tokens, token) : parsePattern(tokens, 'a guard');
}

// SavedQuery = '$' Pattern '(' [ SavedQueryArgument { ',' SavedQueryArgument } [ ',' ] ] ')'
function parseSavedQuery(tokens: TokenCursor, dollar: Token): SavedQueryNode {
  tokens.take(dollar);
  const { value: name, kind } =
    tokens.accept('savedQueryName', 'word', 'string') ??
    tokens.failExpecting('the name of a saved query directly after "$"', tokens.peek('savedQueryName'));
  const opening = tokens.expect('operator', '(', ' after the saved query name');
  const values = tokens.list(opening, ')', 'the argument', () => parseSavedQueryArgument(tokens));
  return {
    kind: 'SavedQuery',
    name,
    quoted: kind === 'string',
    arguments: values,
    span: tokens.spanFrom(dollar),
  };
}

// SavedQueryArgument = Field '=' (Pattern | Expression)
function parseSavedQueryArgument(tokens: TokenCursor): ArgumentNode {
  const token = tokens.peek('operand');
  const name =
    acceptArgumentName(tokens, token) ??
    tokens.failExpecting('a named argument "name=value" for the saved query', token);
  // `a-b` is text here, not a difference.
  const value = acceptLonePattern(tokens, isPattern) ?? parseExpression(tokens);
  return { kind: 'Argument', name, value, span: tokens.spanFrom(token) };
}

// Filters: `or` binds tighter than `and`, and `not` tighter than both.

// Filter = OrFilter { [ 'and' ] OrFilter }
// `first` is an operand that has been parsed already.
function parseFilter(tokens: TokenCursor, first?: FilterNode): FilterNode {
  const start = first?.span ?? tokens.peek('filter');
  const operands = [parseOrFilter(tokens, first)];
  while (tokens.acceptKeyword('and') || startsOperand(tokens)) operands.push(parseOrFilter(tokens));
  return operands.length === 1 ? operands[0]! : { kind: 'And', operands, span: tokens.spanFrom(start) };
}

/** Whether the filter continues with another operand. */
function startsOperand(tokens: TokenCursor): boolean {
  const token = tokens.peek('filter');
  return FILTER_STARTS.includes(token.kind) && specialStepAt(tokens, token) === undefined;
}

// OrFilter = NotFilter { 'or' NotFilter }
function parseOrFilter(tokens: TokenCursor, first?: FilterNode): FilterNode {
  const start = first?.span ?? tokens.peek('filter');
  const operands = [first ?? parseNotFilter(tokens)];
  while (tokens.acceptKeyword('or')) operands.push(parseNotFilter(tokens));
  return operands.length === 1 ? operands[0]! : { kind: 'Or', operands, span: tokens.spanFrom(start) };
}

// NotFilter = { 'not' | '!' } FilterOperand
function parseNotFilter(tokens: TokenCursor): FilterNode {
  const token = tokens.peek('filter');
  if (token.kind !== '!' && !isKeyword(token, 'not')) return parseFilterOperand(tokens, token);
  tokens.take(token);
  const operand = tokens.nest(token, () => parseNotFilter(tokens));
  return { kind: 'Not', operand, span: tokens.spanFrom(token) };
}

// FilterOperand = '(' Filter ')' | Parameter | Regex | NamedFilter
function parseFilterOperand(tokens: TokenCursor, token: Token): FilterNode {
  switch (token.kind) {
    case '(':
      return tokens.parenthesized(token, 'filter', () => parseFilter(tokens));
    case '?':
      return { kind: 'FreeText', value: parseParameter(tokens, token), span: tokens.spanFrom(token) };
    case 'regex':
      return { kind: 'FreeText', value: parseRegex(tokens, token), span: tokens.spanFrom(token) };
    case 'string':
    case 'word':
      return parseNamedFilter(tokens, token);
    default:
      return tokens.failExpecting('a filter', token);
  }
}

// NamedFilter = Comparison | FieldCall | Call | 'true' | 'false' | Pattern
function parseNamedFilter(tokens: TokenCursor, token: Token): FilterNode {
  if (isKeyword(token, 'and') || isKeyword(token, 'or')) tokens.failExpecting('a filter', token);
  const next = tokens.peekAfter(token, 'filter');
  if (isComparison(tokens, next)) return parseComparison(tokens, token);
  if (next.kind === '==') {
    tokens.fail('Write "=" in a filter, or "<=>" in correlate(): "==" is only allowed in expressions', next);
  }
  if (next.kind === '=~') {
    const fieldCall = parseFieldCall(tokens, token);
    const { name, nameSpan } = fieldCall.call;
    return isFunctionName(name)
      ? asComparison(fieldCall)
      : tokens.fail(`There is no function "${name}"`, nameSpan);
  }
  if (next.kind === ':=') {
    tokens.fail(`":=" is not allowed inside a filter: make the assignment a separate step`, next);
  }
  if (isCall(tokens, token)) return parseCall(tokens, token);
  if (token.text === 'true' || token.text === 'false') {
    tokens.take(token);
    return { kind: 'Boolean', value: token.text === 'true', span: tokens.spanFrom(token) };
  }
  if (token.kind === 'word') rejectReservedWord(tokens, token);
  return { kind: 'FreeText', value: parsePattern(tokens, 'a filter'), span: tokens.spanFrom(token) };
}

// Comparison = Field ('=' | '!=') (Regex | Call | Parameter | Pattern)
//            | Field 'like' (Pattern | Parameter | Regex)
//            | Field ('<' | '<=' | '>' | '>=') (Number | Parameter)
//            | Field '<=>' Field
function parseComparison(tokens: TokenCursor, name: Token): ComparisonNode {
  const field = parseField(tokens, name);
  const token = tokens.take(tokens.peek('filter'));
  const operator = (token.kind === 'word' ? 'like' : token.kind) as ComparisonOperator;
  const value = parseComparand(tokens, operator);
  return { kind: 'Comparison', field, operator, value, span: tokens.spanFrom(name) };
}

function parseComparand(tokens: TokenCursor, operator: ComparisonOperator): ComparisonNode['value'] {
  const token = tokens.peek('filter');
  if (token.kind === '?') return parseParameter(tokens, token);
  if (operator === '<=>') {
    if (!isText(token)) tokens.failExpecting('a field name after "<=>"', token);
    return parseField(tokens, token);
  }
  if (/[<>]/.test(operator)) return parseNumber(tokens, token, operator);
  if (token.kind === 'regex') return parseRegex(tokens, token);
  // An unknown word before "(" is a value, and the parenthesis starts the next operand: `a=b(c=d)`.
  if (operator !== 'like' && isCall(tokens, token) && isFunctionName(token.text)) {
    return parseCall(tokens, token);
  }
  return parsePattern(tokens, `a value after "${operator}"`);
}

// Calls

// Call = FunctionName '(' [ Argument { ',' Argument } [ ',' ] ] ')'
function parseCall(tokens: TokenCursor, name: Token): CallNode {
  tokens.take(name);
  const opening = tokens.expect('operator', '(');
  const values = tokens.list(opening, ')', 'the argument', () => parseArgument(tokens));
  return {
    kind: 'Call',
    name: name.text,
    nameSpan: { start: name.start, end: name.end },
    arguments: values,
    span: tokens.spanFrom(name),
  };
}

// Argument = [ Field '=' ] (Regex | Pattern | Expression) | Subquery { Attribute }
function parseArgument(tokens: TokenCursor): ArgumentNode {
  const token = tokens.peek('operand');
  const name = acceptArgumentName(tokens, token);
  const start = tokens.peek('operand');
  const value = start.kind === 'regex' ? parseRegex(tokens, start) : parseItem(tokens);
  if (name !== undefined) return { kind: 'Argument', name, value, span: tokens.spanFrom(token) };
  const attributes = value.kind === 'Subquery' ? parseAttributes(tokens) : [];
  const span = tokens.spanFrom(token);
  return { kind: 'Argument', value, ...(attributes.length > 0 && { attributes }), span };
}

// Attribute = Identifier ':' Expression
function parseAttributes(tokens: TokenCursor): AttributeNode[] {
  const attributes: AttributeNode[] = [];
  for (;;) {
    const name = tokens.accept('operator', 'word');
    if (name === undefined) return attributes;
    tokens.expect('operator', ':', ` after the attribute name`);
    const value = parseExpression(tokens);
    attributes.push({ kind: 'Attribute', name: name.text, value, span: tokens.spanFrom(name) });
  }
}

// Item = Pattern that ends in '*' | Expression
// `text*` can't be a product here, which would need another operand.
function parseItem(tokens: TokenCursor): ExpressionNode {
  return acceptLonePattern(tokens, isStarredPattern) ?? parseExpression(tokens);
}

// Expressions

/** Operators from lowest to highest precedence. */
const EQUALITIES = ['==', '!=', '<=', '>=', '<', '>', '<=>'] as const;
const SUMS = ['+', '-'] as const;
const PRODUCTS = ['*', '/', '%'] as const;

// Expression = Sum [ ('==' | '!=' | '<=' | '>=' | '<' | '>' | '<=>') Sum ]
function parseExpression(tokens: TokenCursor): ExpressionNode {
  const first = tokens.peek('operand');
  const left = parseSum(tokens);
  const operator = tokens.accept('operator', ...EQUALITIES);
  if (operator === undefined) return left;
  const right = parseSum(tokens);
  const next = tokens.peek('operator');
  if ((EQUALITIES as readonly TokenKind[]).includes(next.kind)) {
    tokens.fail(`Comparisons can't be chained: put one of them in parentheses`, next);
  }
  return {
    kind: 'Binary',
    operator: operator.kind as BinaryOperator,
    left,
    right,
    span: tokens.spanFrom(first),
  };
}

// Sum = Product { ('+' | '-') Product }
// Product = Unary { ('*' | '/' | '%') Unary }
function parseSum(tokens: TokenCursor): ExpressionNode {
  return parseChain(tokens, SUMS, () => parseChain(tokens, PRODUCTS, parseUnary));
}

function parseChain(
  tokens: TokenCursor,
  operators: readonly BinaryOperator[],
  parseOperand: (tokens: TokenCursor) => ExpressionNode,
): ExpressionNode {
  const first = tokens.peek('operand');
  let left = parseOperand(tokens);
  for (;;) {
    const token = tokens.accept('operator', ...operators);
    if (token === undefined) return left;
    const operator = token.kind as BinaryOperator;
    if (operator === '*') rejectTrailingStar(tokens);
    const right = parseOperand(tokens);
    left = { kind: 'Binary', operator, left, right, span: tokens.spanFrom(first) };
  }
}

// Unary = { '-' | '!' | 'not' } Operand
function parseUnary(tokens: TokenCursor): ExpressionNode {
  const token = tokens.peek('operand');
  const isNot = token.kind === '!' || isNegation(tokens, token);
  if (!isNot && token.kind !== '-') return parseOperand(tokens, token);
  tokens.take(token);
  const operator: UnaryNode['operator'] = isNot ? '!' : '-';
  const operand = tokens.nest(token, () => parseUnary(tokens));
  return { kind: 'Unary', operator, operand, span: tokens.spanFrom(token) };
}

// Operand = '(' Expression ')' | Array | Subquery | Call | SavedQuery | Parameter | String | Bareword
function parseOperand(tokens: TokenCursor, token: Token): ExpressionNode {
  switch (token.kind) {
    case '(':
      return tokens.parenthesized(token, 'operator', () => parseExpression(tokens));
    case '[':
      return parseArray(tokens, token);
    case '{':
      return parseSubquery(tokens, token);
    case '$':
      return parseSavedQuery(tokens, token);
    case '?':
      return parseParameter(tokens, token);
    case 'string':
      tokens.take(token);
      return { kind: 'String', value: token.value, span: tokens.spanFrom(token) };
    case 'word':
      return parseWord(tokens, token);
    case 'regex':
      return tokens.fail('A regex is only allowed in a filter or as a whole argument', token);
    default:
      return tokens.failExpecting('a value', token);
  }
}

function parseWord(tokens: TokenCursor, word: Token): ExpressionNode {
  if (isCall(tokens, word)) return parseCall(tokens, word);
  const next = tokens.peekAfter(word, 'operator');
  if (next.kind === ':') {
    const brace = tokens.peekAfter(next, 'operand');
    if (brace.kind === '{') {
      tokens.take(word);
      tokens.take(next);
      return parseSubquery(tokens, brace, word);
    }
  }
  if (next.kind === '{' && isKeyword(word, 'case')) {
    tokens.fail('case { … } is a step and has no value: move the assignment into its clauses', word);
  }
  return parseBareword(tokens, word);
}

// Array = '[' [ Element { ',' Element } [ ',' ] ] ']'
function parseArray(tokens: TokenCursor, opening: Token): ArrayNode {
  tokens.take(opening);
  const elements = tokens.list(opening, ']', 'the element', () => parseElement(tokens));
  return { kind: 'Array', elements, span: tokens.spanFrom(opening) };
}

// Element = Assignment | Item
function parseElement(tokens: TokenCursor): ExpressionNode | AssignmentNode {
  const token = tokens.peek('operand');
  const isAssignment = isText(token) && tokens.peekAfter(token, 'operator').kind === ':=';
  return isAssignment ? parseAssignment(tokens, token) : parseItem(tokens);
}

// Subquery = [ Identifier ':' ] '{' Pipeline '}'
function parseSubquery(tokens: TokenCursor, opening: Token, name?: Token): SubqueryNode {
  tokens.take(opening);
  const pipeline = tokens.nest(opening, () => parsePipeline(tokens));
  tokens.expect('filter', '}', ' or "|" after the step');
  const span = tokens.spanFrom(name ?? opening);
  return { kind: 'Subquery', ...(name && { name: name.text }), pipeline, span };
}
