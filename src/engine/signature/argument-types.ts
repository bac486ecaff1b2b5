import { readDuration } from '../../core/duration.ts';
import { findTimeZone, type TimeZone } from '../../core/time-zone.ts';
import { tryOr } from '../../core/try-or.ts';
import type { ValueForm } from '../../language/functions/signature.ts';
import { OR_ARRAY } from '../../language/functions/signature-table.ts';
import type { ArgumentNode, AttributeNode, QueryNode, StringNode } from '../../language/index.ts';
import type { RegexSource } from '../../language/regex/regex-parser.ts';
import type { Expression, Predicate } from '../columns/expression.ts';
import { truthOf } from '../columns/predicate.ts';
import { aggregateList } from '../operators/aggregate-list.ts';
import type { AggregateStep } from '../operators/operator.ts';
import { type CalendarSpan, readCalendarSpan } from '../time/calendar-span.ts';
import { parseNumber, toBoolean } from '../value.ts';
import { withoutBackTicks } from './back-ticks.ts';
import type { Scope } from './scope.ts';

export type ArgumentValueNode = ArgumentNode['value'];

/** How an argument is parsed, and what an error asks for. */
export interface ArgumentType<T> {
  /** Completes "… must be". */
  readonly expects: string;
  /** The same for programs, if a form expresses it. Of an array, the form of its elements. */
  readonly form?: ValueForm;
  /** Whether the value is an array. @default false */
  readonly isList?: true;
  /** Joins several unnamed arguments of a call. Default: a call has only one. */
  join?(earlier: unknown, later: unknown): T;
  /** The fields that the value names or reads, as far as known. */
  fieldsOf?(value: T): readonly string[];
  /** `undefined` if the argument has another type. Throws if its content is invalid. */
  read(node: ArgumentValueNode, scope: Scope, attributes?: readonly AttributeNode[]): T | undefined;
}

/** The text of a bareword, a string, a parameter or a negative number. */
export function readText(node: ArgumentValueNode, scope: Scope): string | undefined {
  switch (node.kind) {
    case 'Bareword':
      return withoutBackTicks(node.text);
    case 'String':
      return node.value;
    case 'Parameter':
      return scope.parameter(node).text;
    case 'Unary': {
      const operand = node.operator === '-' ? readText(node.operand, scope) : undefined;
      return operand !== undefined && parseNumber(operand) !== undefined ? `-${operand}` : undefined;
    }
    default:
      return undefined;
  }
}

/** An argument whose text is converted; `undefined` if it has another type. */
export function textType<T>(
  expects: string,
  convert: (text: string) => T | undefined,
  form?: ValueForm,
): ArgumentType<T> {
  return {
    expects,
    ...(form && { form }),
    read(node, scope) {
      const text = readText(node, scope);
      return text === undefined ? undefined : convert(text);
    },
  };
}

/** A field name, quoted or not. */
export const fieldName: ArgumentType<string> = {
  ...textType('a field name', (text) => text, { kind: 'field' }),
  fieldsOf: (name) => [name],
};

/** Name of a lookup file or of a table of `defineTable()`. */
export const tableName = textType('a lookup file or table name', (value) => value, {
  kind: 'file',
});

/** Any string. In the arguments of `in` and `wildcard`, stars are wildcards. */
export const text = textType('a string', (value) => value, { kind: 'text' });

export const flag = textType('true or false', (value) => toBoolean(value.toLowerCase()), { kind: 'flag' });

export const number = textType('a number', parseNumber, { kind: 'number' });

export function integer({ min, max }: { readonly min: number; readonly max: number }): ArgumentType<number> {
  return textType(`an integer from ${min} to ${max}`, (value) => integerWithin(value, min, max), {
    kind: 'integer',
    min,
    max,
  });
}

/** A number of rows, or `max`. Warns above the maximum and uses the maximum. */
export function limit({ max }: { readonly max: number }): ArgumentType<number> {
  return {
    expects: `an integer from 1 to ${max}, or max`,
    form: { kind: 'limit', max },
    read(node, scope) {
      const written = readText(node, scope);
      if (written === undefined) return undefined;
      if (written === 'max') return max;
      const limit = integerWithin(written, 1, Number.MAX_SAFE_INTEGER);
      if (limit === undefined || limit <= max) return limit;
      scope.warn(`a limit of ${written} is above the maximum; ${max} is used.`);
      return max;
    },
  };
}

/** The integer that a string is; `undefined` if it is none between the bounds. */
export function integerWithin(value: string, min: number, max: number): number | undefined {
  const read = parseNumber(value);
  return read !== undefined && Number.isInteger(read) && read >= min && read <= max ? read : undefined;
}

export const timeZone: ArgumentType<TimeZone> = textType(
  'a time zone such as "Europe/Copenhagen", "UTC" or "+02:00"',
  findTimeZone,
  { kind: 'timeZone' },
);

export function oneOf<const T extends string>(...choices: readonly T[]): ArgumentType<T> {
  return textType(`one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value), {
    kind: 'choice',
    choices,
  });
}

/** `asc` and `desc`, also `ascending` and `descending` and any prefix of these. 1 is ascending, -1 descending. */
export const sortOrder = textType<1 | -1>(
  'asc or desc',
  (value) => {
    const word = value.toLowerCase();
    if (word !== '' && 'ascending'.startsWith(word)) return 1;
    return word !== '' && 'descending'.startsWith(word) ? -1 : undefined;
  },
  { kind: 'order' },
);

/** One value or an array; always an array in the result. */
export function listOf<T>(type: ArgumentType<T>): ArgumentType<readonly T[]> {
  return {
    expects: `${type.expects}${OR_ARRAY}`,
    ...(type.form && { form: type.form }),
    isList: true,
    read(node, scope) {
      const elements = node.kind === 'Array' ? node.elements : [node];
      const items: T[] = [];
      for (const element of elements.flatMap((one) => valuesOf(one, scope))) {
        const item = element.kind === 'Assignment' ? undefined : type.read(element, scope);
        if (item === undefined) return undefined;
        items.push(item);
      }
      return items;
    },
    // groupBy(a, b): further unnamed arguments are added to the array.
    join: (earlier, later) => [...(earlier as readonly T[]), ...(later as readonly T[])],
    fieldsOf: (values) => values.flatMap((value) => type.fieldsOf?.(value) ?? []),
  };
}

/** Expands a parameter with several values. */
function valuesOf<N extends QueryNode>(node: N, scope: Scope): readonly (N | StringNode)[] {
  const values = node.kind === 'Parameter' ? scope.parameterList(node) : undefined;
  if (values === undefined) return [node];
  return values.map((value) => ({ kind: 'String', value, span: node.span }));
}

export const fieldNames = listOf(fieldName);

/** A field name, or `[[old, new], …]`. */
export const fieldOrPairs: ArgumentType<string | readonly (readonly [string, string])[]> = {
  expects: 'a field name or an array such as [[old, new], [old, new]]',
  read(node, scope) {
    if (node.kind !== 'Array') return readText(node, scope);
    const [first] = node.elements;
    if (node.elements.length === 1 && first?.kind !== 'Array' && first?.kind !== 'Assignment') {
      return first && readText(first, scope);
    }
    const pairs: [string, string][] = [];
    for (const element of node.elements) {
      const names = element.kind === 'Array' ? fieldNames.read(element, scope) : undefined;
      const [from, to] = names ?? [];
      if (names?.length !== 2 || from === undefined || to === undefined) return undefined;
      pairs.push([from, to]);
    }
    return pairs;
  },
};

/** `a + 1`, `x == "y"`, `in(…)`. */
export const expression: ArgumentType<Expression> = {
  expects: 'an expression',
  form: { kind: 'expression' },
  read(node, scope) {
    if (node.kind === 'Regex' || node.kind === 'Array') return undefined;
    return node.kind === 'Subquery' ? truthOf(scope.condition(node)) : scope.expression(node);
  },
};

export const expressions = listOf(expression);

/** A filter: a call such as `in(…)`, or `{ status >= 400 }`. */
export const condition: ArgumentType<Predicate> = {
  expects: 'a filter: a call such as in(…), or { … }',
  form: { kind: 'filter' },
  read(node, scope) {
    const isFilter = node.kind === 'Call' || node.kind === 'Subquery' || node.kind === 'SavedQuery';
    return isFilter ? scope.condition(node) : undefined;
  },
};

/** `count()`, `[count(), max(x)]`, `{ status=* | max(status) }`. */
export const aggregates: ArgumentType<AggregateStep> = {
  expects: 'an aggregate function, an array of aggregate functions, or { … } containing one',
  form: { kind: 'aggregate' },
  read(node, scope) {
    const isList = node.kind === 'Array' || node.kind === 'Subquery';
    return isList || node.kind === 'Call' || node.kind === 'SavedQuery' ? scope.aggregate(node) : undefined;
  },
  // stats(count(), max(x)) is stats([count(), max(x)]).
  join: (earlier, later) =>
    aggregateList(([earlier, later] as AggregateStep[]).flatMap((step) => step.members ?? [step])),
};

/** A string or `/…/flags`, not compiled yet, because the flags may come from another argument. */
export const regexSource: ArgumentType<RegexSource> = {
  expects: 'a regular expression in quotes',
  form: { kind: 'regex' },
  read(node, scope) {
    if (node.kind === 'Regex') return { body: node.body, flags: node.flags };
    // As a pattern, a parameter without a value is `*`; this is the regular expression that matches everything.
    if (node.kind === 'Parameter' && !scope.parameter(node).given) return { body: '', flags: '' };
    const body = readText(node, scope);
    return body === undefined ? undefined : { body, flags: '' };
  },
};

/** Flags of a regular expression, such as "im". */
export const regexFlags = textType(
  'any of the letters i, m, d and F',
  (value) => (/^[imdF]*$/.test(value) ? value : undefined),
  { kind: 'regexFlags' },
);

/** A language such as `en_US`, for `Intl`. An unknown region, as in `en_UAE`, is ignored. */
export const locale = textType('a locale such as en_US', (value) => {
  const [language = '', ...rest] = value.split(/[-_]/);
  return (
    canonicalLocale([language, ...rest].join('-')) ??
    (rest.length > 0 ? canonicalLocale(language) : undefined)
  );
});

function canonicalLocale(tag: string): string | undefined {
  return tryOr(undefined, () => Intl.getCanonicalLocales(tag)[0]);
}

/** A duration such as `5m`, in milliseconds. */
export const durationMs = textType(
  'a duration such as 5m or 1day',
  (value) => readDuration(value) || undefined,
  { kind: 'duration' },
);

/** An amount of memory such as `10KiB` or `2MB`, in bytes. */
export const byteSize = textType('a number of bytes such as 512, 10KiB or 2MB', (value) => {
  const [, count, prefix = '', binary] = /^(\d{1,12}) *(?:([kMG])(i)?)?B?$/i.exec(value) ?? [];
  const power = ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase());
  return count === undefined
    ? undefined
    : Number(count) * (binary === undefined ? 1000 : 1024) ** power || undefined;
});

/** Length of a bucket: milliseconds; a calendar unit with the prefix `calendar:`; or "auto". */
export const spanLength = textType<number | CalendarSpan | 'auto'>(
  'auto or a duration such as 5m or 1day',
  (value) => (value === 'auto' ? 'auto' : readDuration(value) || readCalendarSpan(value)),
  { kind: 'span' },
);
