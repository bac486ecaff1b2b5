import { isNumberText } from '../../character-classes.ts';
import { isFunctionName } from '../../function-names.ts';
import { insteadOf } from '../../functions/find-function.ts';
import { print } from '../../printer.ts';
import { isQuery, parseTree } from '../../syntax-tree.ts';
import { walk } from '../../walk.ts';
import { maskPhrases, replaceOutside } from '../masked-text.ts';
import { CAST, toExpression, written } from './conversions.ts';
import { type Dialect, PLAIN, type WriteContext } from './dialect.ts';
import { type Mistake, possibleIn } from './mistake.ts';
import { anyCase, comparand, equalOrRegex, isUnusual, quoted, TEXT, term } from './strings.ts';
import { epochMs } from './times.ts';

/** A part of a condition. */
interface Part {
  readonly text: string;
  /** What joins its parts, unless it has parentheses. */
  readonly joint?: 'and' | 'or' | undefined;
  /** Fields that an event must also have. */
  readonly needed?: readonly string[];
  /** What is joined, or is in its parentheses. */
  readonly parts?: readonly Part[];
  /** What is after its `not`. */
  readonly denied?: Part;
}

/** Thrown where a condition has no equivalent. */
class Untranslatable extends Error {}

/**
 * A condition of another language as a filter of this one: `and` binds tighter than `or` there, so that parentheses are
 * written, but `==` alone shows no other language. `undefined` if any part of it is neither a comparison nor text to
 * search for in its language.
 */
export function filterOf(
  text: string,
  dialect: Dialect,
  tests: readonly Mistake[],
  context: WriteContext,
): string | undefined {
  const plain = replaceOutside(text, new RegExp(CAST, 'gi'), (cast, index) => {
    const field = cast.replace(/^\w+\(\s*|\s*\)$|::\w+$|\s+as\s+\w+/gi, '');
    // After an operator, a cast shows that the word is a field.
    return /[<>=]\s*$/.test(text.slice(0, index)) ? `num(${field})` : field;
  });
  const reader = new ConditionReader(plain, dialect, tests, context);
  try {
    const read = reader.read();
    if (dialect !== PLAIN || reader.isForeign) return read;
    return filterOf(text, { ...dialect, isOrFirst: true }, tests, context);
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    context.fail?.(reader.operand);
    return undefined;
  }
}

const NAME = `(?!(?:and|or|not)\\b)(?:[A-Za-z_@#](?:[\\w.@#-]*[\\w.@#])?(?:\\[\\d*\\][\\w.]*)*|"[^"]*"|'[^']*'|\`[^\`]+\`)`;
const REGEX = '\\/[^/\\n]+\\/[a-zA-Z]*';
const WORD = '[\\w*.@#\\\\%&^+-][\\w*.@#\\\\%&^:~+/-]*';
const SPACE = /(?:\s|\/\/[^\n]*|\/\*.*?\*\/)*/sy;
const AND = /(?:and\b|&&?)/diy;
const OR = /(?:or\b|\|\|)/diy;
const NOT = /(?:not\b(?!\s*[=<>!:])|!(?![=~]))/diy;
const CALL = /([A-Za-z_][\w:]*)\(/dy;
const COMPARISON = new RegExp(
  `(${NAME})\\s*(=~|like(?=\\s*\\/)|={1,3}|!==?|!~|<>|<=|>=|=<|=>|<|>)\\s*(${TEXT}|${REGEX}|${WORD}(?!\\w))(?!\\()`,
  'dy',
);
/** `ms / 1000 > 5`, `length(user) > 5` */
const CALCULATION =
  /([\w.@#]+(?:\s*[-+*/÷%]\s*[\w.@#]+)+|\w+\(\s*[\w.@#]+\s*\)|[\w.@#]+(?=\s*[<>!=]+\s*(?:num\(|[\w.@#]+\s*[+*/÷])))\s*(==?|!=|<>|<=|>=|<|>)\s*(\w+\(\s*[\w.@#]+\s*\)|[\w.@#]+(?![\w.(])(?:\s*[-+*/÷%]\s*[\w.@#]+)*)/dy;
/** Not `TERM(…)`. */
const FREE_TEXT = new RegExp(`${TEXT}|${REGEX}|\\?\\w+|${WORD}(?![\\w(])`, 'dy');
/** Words of other languages that would be searched for. */
const CLAUSES =
  /^(?:@\w.*|where|from|by|in|between|is|select|order|group|limit|having|like|rlike|regexp|matches|contains|null)$/i;
/** `field:value`, but not `https://…` and `C:\…`. */
const PAIR = /^[A-Za-z_@][\w.@#-]*:(?!\/\/|\\)/;
const OPERATORS: Readonly<Record<string, string>> = {
  '==': '=',
  '===': '=',
  '!==': '!=',
  '<>': '!=',
  '=<': '<=',
  '=>': '>=',
};

class ConditionReader {
  readonly #text: string;
  readonly #masked: string;
  readonly #dialect: Dialect;
  readonly #tests: readonly Mistake[];
  readonly #context: WriteContext;
  #place = 0;
  /** Where the operand starts that is read. */
  #start = 0;
  #depth = 0;
  /** Whether an operator or a phrase is of a language in which words are not searched for. */
  #isStrict = false;
  #isLucene = false;
  /** Whether anything but `==` is of another language. */
  isForeign = false;
  readonly #words: string[] = [];

  constructor(text: string, dialect: Dialect, tests: readonly Mistake[], context: WriteContext) {
    this.#text = text;
    this.#masked = maskPhrases(text);
    this.#dialect = dialect;
    this.#tests = possibleIn(this.#masked, tests).filter(({ place }) => place === 'test');
    this.#context = context;
  }

  read(): string {
    const before = this.#skip();
    const { text } = complete(this.#any());
    const after = this.#skip();
    const isLeft = (word: string) => this.#isStrict || (this.#isLucene && PAIR.test(word));
    if (this.#place < this.#text.length || this.#words.some(isLeft)) throw new Untranslatable();
    return before + text + after;
  }

  get operand(): string {
    const rest = this.#masked.slice(this.#start);
    const { length } = rest
      .replace(/\s+(?:and|or)\b.*|\s*(?:&&|\|\|).*|\s+$/is, '')
      .replace(/^((?:[^()]|\([^()]*\))*)\).*$/s, '$1');
    return this.#text.slice(this.#start, this.#start + length);
  }

  /** The lowest precedence. */
  #any(): Part {
    this.#depth += 1;
    if (this.#depth > 50) throw new Untranslatable();
    const isOrFirst = this.#dialect.isOrFirst === true;
    const part = isOrFirst
      ? this.#chain('and', () => this.#chain('or', () => this.#operand()))
      : this.#chain('or', () => this.#chain('and', () => this.#operand()));
    this.#depth -= 1;
    return part;
  }

  #chain(joint: 'and' | 'or', next: () => Part): Part {
    const parts = [next()];
    const gaps: string[] = [];
    for (;;) {
      const start = this.#place;
      const before = this.#skip();
      const mark = this.#accept(joint === 'and' ? AND : OR);
      const isJoined =
        mark !== undefined || (joint === 'and' && this.#dialect.isSearch && this.#startsOperand());
      if (!isJoined) {
        this.#place = start;
        break;
      }
      const isWord = mark !== undefined && /^\w/.test(mark);
      this.isForeign ||= mark !== undefined && !isWord;
      const operator = mark === undefined ? '' : isWord ? mark : joint;
      const after = mark === undefined ? '' : this.#skip();
      gaps.push(
        operator === '' || isWord ? before + operator + after : `${before || ' '}${operator}${after || ' '}`,
      );
      parts.push(next());
    }
    if (parts.length === 1) return parts[0]!;
    const isLoose = (part: Part) =>
      part.joint !== undefined &&
      part.joint !== joint &&
      !(joint === 'and' && this.#dialect.isOrFirst === true);
    const texts = parts
      .map((part) => (joint === 'and' ? part : complete(part)))
      .map((part) => (isLoose(part) ? `(${part.text})` : part.text));
    const needed = joint === 'and' ? parts.flatMap((part) => part.needed ?? []) : [];
    return { text: texts.reduce((all, text, index) => all + gaps[index - 1] + text), joint, needed, parts };
  }

  #startsOperand(): boolean {
    const rest = this.#masked.slice(this.#place);
    return rest !== '' && !/^(?:or\b|\|\||\))/i.test(rest);
  }

  #operand(): Part {
    this.#skip();
    this.#start = this.#place;
    const test = this.#test();
    if (test !== undefined) return test;
    const not = this.#accept(NOT);
    if (not !== undefined) {
      const gap = this.#skip();
      const denied = this.#operand();
      const other = isDecidedByOne(denied, this.#dialect) ? opposite(denied, this.#dialect) : undefined;
      return { ...(other ?? negated(denied, not + gap, this.#dialect)), denied };
    }
    return this.#group() ?? this.#calculation() ?? this.#comparison() ?? this.#call() ?? this.#freeText();
  }

  #group(): Part | undefined {
    if (this.#accept(/\(/dy) === undefined) return undefined;
    const before = this.#skip();
    const part = this.#any();
    const after = this.#skip();
    if (this.#accept(/\)/dy) === undefined) throw new Untranslatable();
    return { text: `(${before}${complete(part).text}${after})`, parts: [part] };
  }

  /** A phrase of the table. */
  #test(): Part | undefined {
    for (const test of this.#tests) {
      const match = this.#match(test.sticky);
      if (match === undefined) continue;
      const text = test.write(match.slice(1), { ...this.#context, dialect: this.#dialect });
      if (text === undefined) continue;
      if (text === '') throw new Untranslatable();
      this.#place += match[0]!.length;
      this.isForeign = true;
      this.#isStrict ||= test.isStrict;
      this.#isLucene ||= test.language === 'Lucene';
      const isNeeded = text.startsWith('!') && this.#dialect.needsField === true;
      return { text, joint: jointOf(text), needed: isNeeded ? [written(match[1]!)] : [] };
    }
    return undefined;
  }

  #calculation(): Part | undefined {
    const match = this.#match(CALCULATION);
    if (match === undefined) return undefined;
    const [whole = '', left = '', operator = '', right = ''] = match;
    const isExact = this.#dialect.isExact === true;
    const value = toExpression(left);
    // In an expression, a word is a field.
    const isWord = operator === '=' && !isExact && /^[A-Za-z]\w*$/.test(right);
    const other = isWord ? `"${right}"` : toExpression(right);
    const text = `test(${value} ${{ '=': '==', '<>': '!=' }[operator] ?? operator} ${other})`;
    const isOwn = !isExact && !whole.includes('(');
    const isOther = value.includes('(') && insteadOf(value) !== undefined;
    if (isOwn || isOther || !isQuery(text)) return undefined;
    this.#place += whole.length;
    return { text };
  }

  #comparison(): Part | undefined {
    const match = this.#match(COMPARISON);
    if (match === undefined) return undefined;
    const [whole = '', name = '', operator = '', value = ''] = match;
    const gaps = whole.slice(name.length, whole.length - value.length).split(operator);
    const field = written(name.replace(/^([`'])(.*)\1$/, '$2'));
    this.#isStrict ||= operator === '==' || operator === '===' || operator === '!==';
    this.isForeign ||= /^(?:[=!]~|<>|=[<>]|[=!]==)$/.test(operator) || /^@?['`]/.test(value);
    const mark = OPERATORS[operator] ?? operator;
    const text = this.#compared(field, mark, value, gaps, operator);
    if (text === undefined) throw new Untranslatable();
    this.#place += whole.length;
    const isNeeded = mark.startsWith('!') && (this.#dialect.needsField === true || operator === '<>');
    return { text, needed: isNeeded ? [field] : [] };
  }

  #compared(
    field: string,
    mark: string,
    value: string,
    [before = '', after = '']: readonly string[],
    operator: string,
  ): string | undefined {
    const isString = /^@?["']/.test(value);
    const isExact = this.#dialect.isExact === true;
    if (mark === '=~' || mark === '!~') {
      const equality = mark === '=~' ? '=' : '!=';
      if (value.startsWith('/')) return `${field}${before}${equality}${value}`;
      if (!isString) return undefined;
      return `${field}${before}${equality}${isExact ? comparand(value, 'equals', true) : equalOrRegex(value)}`;
    }
    // Fields can have times in other units.
    if (isExact && field === '@timestamp' && /^[A-Za-z_]/.test(value)) return undefined;
    if (/[<>]/.test(mark)) {
      const number = isString ? (epochMs(value, isExact ? '' : mark) ?? value.slice(1, -1)) : value;
      if (isNumberText(number)) return `${field}${before}${mark}${after}${number}`;
      return isString || mark !== operator || !/^[A-Za-z_@#][\w.@#]*$/.test(value)
        ? undefined
        : `test(${field} ${mark} ${written(value)})`;
    }
    if (this.#dialect.ignoresCase === true) return `${field}${before}${mark}${after}${anyCase(value)}`;
    if (isString)
      return `${field}${before}${mark}${after}${isExact || /==|<>/.test(operator) ? comparand(value, 'equals') : quoted(value)}`;
    if (isExact && isUnusual(value)) return `${mark === '=' ? '' : 'not '}test(${field} == ${value})`;
    // With a single "=", the word may be a field, as in SPL, or a value, as here.
    if (isExact && /^[A-Za-z_@#][\w.@#]*$/.test(value) && !/^(?:true|false)$/i.test(value))
      return operator !== '==' || this.#dialect.unknown === 'numbers'
        ? undefined // In KQL, two strings that are absent are equal.
        : `test(${field} == ${written(value)})`;
    // The name of another field.
    const isField = /^={2,3}(?:\.|\w*[a-z][A-Z])|^===(?!true$|false$)[A-Za-z_]/.test(operator + value);
    return isField || (value.startsWith('/') && isExact && mark !== 'like')
      ? undefined
      : `${field}${before}${mark}${after}${value}`;
  }

  /** A call of a function of this language, as it is: `in(…)`, `field =~ in(…)`. */
  #call(): Part | undefined {
    const start = this.#place;
    this.#accept(new RegExp(`${NAME}\\s*=~?\\s*!?\\s*(?=[\\w:]+\\()`, 'dy'));
    const [, name = ''] = this.#match(CALL) ?? [];
    if (!isFunctionName(name)) {
      this.#place = start;
      return undefined;
    }
    let depth = 0;
    do {
      const mark = this.#masked[this.#place];
      if (mark === undefined) throw new Untranslatable();
      if (mark === '(') depth += 1;
      if (mark === ')') depth -= 1;
      this.#place += 1;
    } while (depth > 0 || !this.#masked.slice(start, this.#place).endsWith(')'));
    return { text: this.#text.slice(start, this.#place) };
  }

  #freeText(): Part {
    const [found = ''] = this.#match(FREE_TEXT) ?? [];
    if (found === '' || (!this.#dialect.isSearch && !/^(?:\*|true|false)$/.test(found)))
      throw new Untranslatable();
    if (CLAUSES.test(found)) throw new Untranslatable();
    const isWord = !/^["'/?]|^(?:\*|true|false)$/.test(found);
    const isText = /^@?["']/.test(found);
    if (isWord) this.#words.push(found);
    this.#place += found.length;
    if (this.#dialect.ignoresCase === true && (isWord || isText)) return { text: term(found) };
    return { text: isText ? quoted(found) : found };
  }

  /** Spaces and comments. */
  #skip(): string {
    SPACE.lastIndex = this.#place;
    const [text = ''] = SPACE.exec(this.#text) ?? [];
    this.#place += text.length;
    return text;
  }

  #accept(pattern: RegExp): string | undefined {
    const [found] = this.#match(pattern) ?? [];
    this.#place += found?.length ?? 0;
    return found;
  }

  /** The groups of a pattern at the current place. */
  #match(pattern: RegExp): string[] | undefined {
    pattern.lastIndex = this.#place;
    const match = pattern.exec(this.#masked);
    return match?.indices?.map((range) => (range === undefined ? '' : this.#text.slice(range[0], range[1])));
  }
}

/** A part with the filters that keep only events with the fields that it needs. */
function complete({ text, joint, needed = [] }: Part): Part {
  if (needed.length === 0) return { text, joint };
  const filters = [...new Set(needed)].map((field) => ` ${field}=*`).join('');
  if (joint === 'and' && text.endsWith(filters)) return { text, joint };
  return { text: (joint === 'or' ? `(${text})` : text) + filters, joint: 'and' };
}

/** A part after `not`. */
function negated(part: Part, not: string, dialect: Dialect): Part {
  const { text, joint } = complete(part);
  return { text: not + (joint === undefined ? text : `(${text})`), needed: unknownIn(text, dialect) };
}

/** Whether it can be false although fields that it needs are absent: one false part of an `and` is enough. */
function isDecidedByOne({ joint, parts = [], denied }: Part, dialect: Dialect): boolean {
  if (dialect.unknown === undefined) return false;
  const unknown = new Set(parts.map((part) => unknownIn(complete(part).text, dialect).join()));
  const isAny = denied !== undefined || (joint === 'and' && unknown.size > 1);
  return isAny || parts.some((part) => isDecidedByOne(part, dialect));
}

/** A filter for the events for which a part is certainly false. */
function opposite(part: Part, dialect: Dialect): Part {
  const { joint, parts, denied } = part;
  if (denied !== undefined) return denied;
  if (parts === undefined) return negated(part, 'not ', dialect);
  const all = parts.map((one) => complete(opposite(one, dialect)));
  if (joint === undefined) return all[0]!;
  const other = joint === 'and' ? 'or' : 'and';
  const texts = all.map((one) => (one.joint === joint ? `(${one.text})` : one.text));
  return { text: texts.join(` ${other} `), joint: other };
}

/** The fields without which a filter is neither true nor false in a dialect. */
function unknownIn(text: string, { unknown }: Dialect): readonly string[] {
  if (unknown === undefined || !isQuery(text)) return [];
  const fields = new Set<string>();
  walk(parseTree(text), {
    Comparison({ field, operator, value }) {
      const isKnown = value.kind === 'Pattern' && value.text === '*' && !value.quoted;
      if (!isKnown && (unknown === 'all' || /[<>]/.test(operator))) fields.add(print(field));
    },
    Call: ({ name }) => (unknown === 'all' || /^(?:test|cidr)$/.test(name) ? undefined : false),
    Argument: ({ name }) => (name === undefined ? undefined : false),
    Bareword(word) {
      if (!isNumberText(word.text)) fields.add(print(word));
    },
  });
  return [...fields];
}

/** What joins the filters of a step. */
export function jointOf(text: string): Part['joint'] {
  if (!isQuery(text)) return undefined;
  return ({ And: 'and', Or: 'or' } as const)[parseTree(text).steps[0]?.kind as 'And' | 'Or'];
}
