import { LogOptionsException } from '../errors.ts';
import { describe, refuseUnknownOptions, requireInteger } from '../internal/option-checks.ts';
import type {
  CaseNode,
  FieldCallNode,
  FieldNode,
  FilterNode,
  GuardNode,
  MatchArmNode,
  MatchNode,
  PipelineNode,
  QueryNode,
  StatsNode,
  StepNode,
} from './ast.ts';
import { explain } from './diagnostics/diagnose.ts';
import { FilterParser, OPERAND_STARTS } from './filter-parser.ts';
import { isFunctionName } from './function-names.ts';
import { chainOf } from './operator-chain.ts';
import { isKeyword } from './parser-core.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import type { Token, TokenKind } from './token.ts';
import { childrenOf } from './walk.ts';

/** Limits that protect the process from hostile queries. */
export interface ParseOptions {
  /**
   * Maximum length of a query, in UTF-16 code units. At most 1,000,000.
   *
   * @default 66_000
   */
  maxLength?: number;
  /**
   * Maximum nesting depth of a query, counted in levels of the syntax tree and of parentheses. Must be between 1 and
   * 300. A chain such as `a + b - c` counts as one level.
   *
   * @default 200
   */
  maxDepth?: number;
}

function resolveParseOptions(options: ParseOptions): Readonly<Required<ParseOptions>> {
  refuseUnknownOptions('parse', options, ['maxLength', 'maxDepth']);
  const { maxLength = 66_000, maxDepth = 200 } = options;
  return Object.freeze({
    maxLength: requireInteger('parse', 'maxLength', maxLength, { max: 1_000_000 }),
    maxDepth: requireInteger('parse', 'maxDepth', maxDepth, { min: 1, max: 300 }),
  });
}

/**
 * Parses a query. An empty query, which matches all events, returns a pipeline without steps.
 *
 * @throws QuerySyntaxError that says what was expected, and where
 * @throws LogOptionsException if an option is invalid or the query is not a string
 */
export function parse(source: string, options: ParseOptions = {}): PipelineNode {
  const { maxLength, maxDepth } = resolveParseOptions(options);
  if (typeof source !== 'string') {
    throw new LogOptionsException(`parse: the query must be a string (got ${describe(source)}).`);
  }
  if (source.length > maxLength) {
    const problem = `The query is too long: ${source.length} characters (maximum: ${maxLength})`;
    throw new QuerySyntaxError(problem, source, { start: maxLength, end: maxLength + 1 });
  }
  try {
    return new Parser(source, maxDepth).parseQuery(maxDepth);
  } catch (error) {
    const phrase = error instanceof QuerySyntaxError ? explain(source, error.span) : undefined;
    if (phrase === undefined) throw error;
    throw new QuerySyntaxError(phrase.message.replace(/\.$/, ''), source, phrase.span);
  }
}

const PIPELINE_ENDS: readonly TokenKind[] = ['end', '}', ';', ')'];

/** Steps and what holds them. The productions are those of the language's grammar; each stands above its method. */
class Parser extends FilterParser {
  // Query = [ '|' ] [ Pipeline ]
  parseQuery(maxDepth: number): PipelineNode {
    const pipeline = this.parsePipeline();
    const next = this.peek('filter');
    if (next.kind !== 'end') this.failExpecting('"|" or the end of the query', next);
    this.#refuseDeepTree(pipeline, maxDepth);
    return pipeline;
  }

  /** Comparisons and steps make levels without any recursion of the parser. */
  #refuseDeepTree(pipeline: PipelineNode, maxDepth: number): void {
    let level: readonly QueryNode[] = [pipeline];
    for (let depth = 1; level.length > 0; depth += 1) {
      if (depth > maxDepth) this.failTooDeep(level[0]!.span);
      level = level.flatMap(nodesWithin);
    }
  }

  // Pipeline = Step { [ '|' ] Step } [ '|' ]
  // Steps may be empty. The `|` may be missing between a filter and a step that is none.
  protected override parsePipeline(): PipelineNode {
    const steps: StepNode[] = [];
    this.#skipPipes();
    while (!PIPELINE_ENDS.includes(this.peek('filter').kind)) {
      const step = this.#parseStep();
      steps.push(step);
      if (!this.#skipPipes() && !this.#mayFollow(step, this.peek('filter'))) break;
    }
    const place = this.peek('filter').start;
    const span = { start: steps[0]?.span.start ?? place, end: steps.at(-1)?.span.end ?? place };
    return { kind: 'Pipeline', steps, span };
  }

  /** Whether a step may stand behind another one without a `|` between them. */
  #mayFollow(step: StepNode, next: Token): boolean {
    if (step.kind === 'SavedQuery') return OPERAND_STARTS.includes(next.kind) || this.isOtherStep(next);
    if ((step.kind === 'FieldCall' || isFilter(step)) && this.isOtherStep(next)) return true;
    // Many people leave out the "|" at the end of a line.
    const isOnNewLine = this.startsNewLine(step.span.end, next.start);
    return isOnNewLine && (OPERAND_STARTS.includes(next.kind) || this.isOtherStep(next));
  }

  #skipPipes(): boolean {
    let previous: Token | undefined;
    for (let token = this.peek('filter'); token.kind === '|'; token = this.peek('filter')) {
      if (previous?.end === token.start) {
        const place = { start: previous.start, end: token.end };
        this.fail('Write "or" between filters: "||" is not an operator', place);
      }
      previous = this.take(token);
    }
    return previous !== undefined;
  }

  // Step = Assignment | FieldCall | Case | Match | Stats | SavedQuery | Filter
  #parseStep(): StepNode {
    const token = this.peek('filter');
    if (token.kind === '[') return this.#parseStats(token);
    switch (this.#otherStep(token)) {
      case 'Assignment':
        return this.parseAssignment(token);
      case 'FieldCall':
        return this.#parseFieldCallStep(token);
      case 'Case':
        return this.#parseCase(token);
      case 'Match':
        return this.#parseMatch(token);
      case 'SavedQuery':
        return this.parseSavedQuery(token);
      default:
        return this.parseFilter();
    }
  }

  protected override isOtherStep(token: Token): boolean {
    return this.#otherStep(token) !== undefined;
  }

  #otherStep(token: Token): StepNode['kind'] | undefined {
    if (token.kind === '$') return 'SavedQuery';
    if (token.kind !== 'word' && token.kind !== 'string') return undefined;
    const next = this.peekAfter(token, 'filter');
    if (next.kind === ':=') return 'Assignment';
    if (next.kind === '=~') return 'FieldCall';
    if (next.kind === '{' && isKeyword(token, 'case')) return 'Case';
    return isKeyword(next, 'match') && this.peekAfter(next, 'filter').kind === '{' ? 'Match' : undefined;
  }

  // Stats = Array
  #parseStats(opening: Token): StatsNode {
    const functions = this.parseArray(opening);
    return { kind: 'Stats', functions, span: functions.span };
  }

  /** More of a filter may follow: `a =~ in(values=[1]) or b=2`. */
  #parseFieldCallStep(name: Token): FieldCallNode | FilterNode {
    const step = this.parseFieldCall(name);
    const next = this.peek('filter');
    const goesOn = OPERAND_STARTS.includes(next.kind) && !this.isOtherStep(next);
    const canBeOperand =
      isFunctionName(step.call.name) && !['and', 'or', 'not'].some((one) => isKeyword(name, one));
    if (!goesOn || !canBeOperand) return step;
    const { field, negated, call, span } = step;
    return this.parseFilter({ kind: 'Comparison', field, operator: negated ? '!=' : '=', value: call, span });
  }

  // Case = 'case' '{' Pipeline { ';' Pipeline } [ ';' ] '}'
  #parseCase(keyword: Token): CaseNode {
    this.take(keyword);
    const clauses = this.#parseClauses('a clause', () => this.#parseClause('the clause'));
    return { kind: 'Case', clauses, span: this.spanFrom(keyword) };
  }

  // Match = Fld 'match' '{' Arm { ';' Arm } [ ';' ] '}'
  #parseMatch(name: Token): MatchNode {
    const field: FieldNode = this.parseField(name);
    this.take(this.peek('filter'));
    const arms = this.#parseClauses('an arm', () => this.#parseArm());
    return { kind: 'Match', field, arms, span: this.spanFrom(name) };
  }

  #parseClauses<T>(clause: string, parseClause: () => T): T[] {
    const opening = this.expectToken('filter', '{');
    return this.nest(opening, () => {
      this.clauseDepth += 1;
      const clauses: T[] = [];
      do {
        const token = this.peek('filter');
        if (token.kind === '}' && clauses.length > 0) break;
        if (PIPELINE_ENDS.includes(token.kind)) this.failExpecting(clause, token);
        clauses.push(parseClause());
      } while (this.acceptToken('filter', ';'));
      this.expectToken('filter', '}', ', ";" or "|" after the step');
      this.clauseDepth -= 1;
      return clauses;
    });
  }

  /** A pipeline that has at least one step. */
  #parseClause(place: string): PipelineNode {
    const pipeline = this.parsePipeline();
    if (pipeline.steps.length === 0) this.failExpecting(`a step in ${place}`, this.peek('filter'));
    return pipeline;
  }

  // Arm = Guard '=>' Pipeline
  #parseArm(): MatchArmNode {
    const first = this.peek('filter');
    const guard = this.#parseGuard();
    if (this.peek('filter').kind === ',') {
      this.fail('An arm has one guard: to match several values, write in(values=[…])', this.peek('filter'));
    }
    this.expectToken('filter', '=>', ' after the guard');
    const pipeline = this.#parseClause('the arm: write "*" to keep events unchanged');
    return { kind: 'MatchArm', guard, pipeline, span: this.spanFrom(first) };
  }

  // Guard = '*' | Regex | Call | Param | Pat | Str
  #parseGuard(): GuardNode {
    const token = this.peek('filter');
    if (token.kind === 'regex') return this.parseRegex(token);
    if (token.kind === '?') return this.parseParameter(token);
    if (token.kind === 'word' && this.isCall(token)) return this.parseCall(token);
    return this.parsePattern('a guard');
  }
}

const FILTER_KINDS: readonly StepNode['kind'][] = [
  'And',
  'Or',
  'Not',
  'Boolean',
  'Comparison',
  'FreeText',
  'Call',
];

function isFilter(step: StepNode): boolean {
  return FILTER_KINDS.includes(step.kind);
}

/** The nodes one level below: of a chain of operators all operands. */
function nodesWithin(node: QueryNode): readonly QueryNode[] {
  if (node.kind !== 'Binary') return childrenOf(node);
  const { first, links } = chainOf(node);
  return [first, ...links.map(({ operand }) => operand)];
}
