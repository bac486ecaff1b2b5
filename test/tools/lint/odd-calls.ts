import type {
  FunctionSignature,
  ParameterSignature,
  ValueForm,
} from '../../../src/language/functions/signature.ts';
import { SIGNATURES } from '../../../src/language/functions/signatures.ts';

/** A valid value by kind. */
const VALID: Readonly<Record<ValueForm['kind'], string>> = {
  aggregate: 'count()',
  choice: '',
  duration: '5m',
  expression: 'a',
  field: 'a',
  file: '"x.csv"',
  filter: '{ a=1 }',
  flag: 'true',
  integer: '',
  limit: '5',
  number: '5',
  order: 'asc',
  other: '"a[]"',
  query: '{ a=1 }',
  regex: '"x"',
  regexFlags: 'i',
  span: '5m',
  steps: '{ a=1 }',
  text: '"x"',
  timeZone: 'UTC',
};

/** Valid values of parameters whose kind says too little. */
const VALID_OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^one of (\w+)/, '$1'],
  [/bit, name/, '[[0, READ]]'],
  [/a time such/, '7d'],
  [/locale/, 'en_US'],
  [/bytes/, '10KiB'],
  [/a number or a field/, '5'],
  [/\[old, new\]/, '[[a, b]]'],
];

const FILTERS =
  '{ x := 1 }, { count() }, a == 1, { case { a=1; * } }, { /(?<x>a)/ }, regex("(?<x>a)"), [{ a=1 }], { not regex("(?<x>a)") }';
const SPANS = '0s, soon, 5, 1y, -5m, 1.5h, "calendar:1mo", "calendar:0d", auto, 5parsecs, ""';

/** Odd values by kind, separated by `, ` outside of brackets and quotes. */
const ODD: Readonly<Partial<Record<ValueForm['kind'], string>>> = {
  aggregate:
    'lower(a), head(), { head() | groupBy(a) }, window(count(), buckets=2), accumulate(count()), { head() | accumulate(count()) }, [count, max(b)], [], [n := head()], { * }, { selfJoinFilter(a, where=[{a=1},{b=2}]) | count() }, explain:asTable(), { setTimeInterval(start=1d) | count() }, { [count(), neighbor(a)] }',
  choice: 'other, [other], ""',
  duration: SPANS,
  expression:
    'a+1, [a, b], /x/, count(), in(a, values=[1]), sort(a), a <=> b.c, { x := 1 }, regex("(?<x>a)", field=b), a + count(), format("%q", field=a)',
  field: '"a b", [a, b], [], [a, a], 5, /x/, count(), "a[]", "a[0]", "", a+b, "*"',
  filter: FILTERS,
  flag: 'yes, 1, TRUE, [true], ""',
  integer: '0, -1, 1.5, "5", 1e2, 99999999, max, ""',
  limit: 'max, 0, -1, 1.5, 1e2, 99999999, MAX',
  number: '-1, 0, 0.5, 101, 1e999, NaN, 0x10, "5", [5, 101], []',
  order: 'up, DESC, "", [asc, desc, asc], []',
  other:
    'a, "a[].b", [[0, READ], [0, X]], [[64, A]], [[a]], now, yesterday, -1, "xx_QQ_!!", DOMAIN, "a[0]", "a[b]", "", 0, 1.5, []',
  query:
    '{ count() }, a=1, { setTimeInterval(start=1d) }, { accumulate(count()) }, { head() | word }, { bar(a) }',
  regex: '"(", /(/, /x/g, "(?<n>x", "[b-a]", "a{3,1}", "\\p{Foo}", "*", "(?<n>x)(?<n>y)", ""',
  regexFlags: 'g, im, x, ii, ""',
  span: SPANS,
  steps: `${FILTERS}, { head() }, lower(a), { setTimeInterval(start=1d) }, { word }`,
  text: '"%q", "%Y-%m", "%5000s", "%s %s", "%", ",", "", "$1", "\\$", "$x", MB, "x/y/z to x", "999.0.0.1/8", "10.0.0.0/99", "fd00::/8", "zz", "yyyy[MM", "hh:mm", "yyyy-MM-dd", "ab", [a, b], [], "\\n", 5',
  timeZone: '"Mars", "+2", "+25:00", "+02:60", EST, "", "europe/copenhagen", "PST", "GMT+1"',
};

/** Where a call may not be. */
const PLACES: readonly ((call: string, withoutField: string) => string)[] = [
  (call) => call,
  (call) => `x := ${call}`,
  (_, call) => `x =~ ${call}`,
  (call) => `not ${call}`,
  (call) => `a=1 or ${call}`,
  (_, call) => `a != ${call}`,
  (call) => `x := ${call} + 1`,
  (call) => `case { a=1 | ${call}; * }`,
  (_, call) => `a match { ${call} => *; * => * }`,
  (call) => `a match { 1 => ${call}; * => * }`,
  (call) => `head() | ${call}`,
  (call) => `${call} | word`,
  (call) => `${call} | ${call}`,
  (call) => `a=1 ${call}`,
  (call) => `groupBy(a, function=${call})`,
  (call) => `groupBy(a, function={ head() | ${call} })`,
  (call) => `[x := ${call}]`,
  (call) => `test(${call})`,
  (call) => `eval(x=${call})`,
  (call) => `join({ ${call} }, field=a)`,
  (call) => `selfJoinFilter(a, where=[{ ${call} }, { a=1 }])`,
  (call) => `timeChart(function=${call})`,
  (call) => `array:filter("a[]", var=x, function={ ${call} })`,
  (call) => `head() | accumulate(${call})`,
  (call) => `correlate(a: { ${call} }, b: {x=2 | y <=> a.y})`,
  (call) => `explain:asTable() | ${call}`,
  (call) => `createEvents(["a=1"]) | ${call} | word`,
  (call) => `head() | appendAggregation(${call})`,
  (call) => `${call} | setTimeInterval(start=1d)`,
  (call) => `${call} | defineTable(name="t", query={*}, include=[a])`,
];

/** Calls of all functions with missing, repeated, unknown, contradictory and odd arguments, and in odd places. */
export function oddCalls(): readonly string[] {
  return [...new Set(SIGNATURES.flatMap(oddCallsOf))];
}

function oddCallsOf(signature: FunctionSignature): readonly string[] {
  const { name, parameters } = signature;
  const needed = parameters.filter(({ isRequired }) => isRequired);
  const call = (values: readonly string[]) => `${name}(${values.join(', ')})`;
  const others = (...without: readonly ParameterSignature[]) =>
    needed.filter((one) => !without.includes(one)).map((one) => `${one.name}=${validValue(one)}`);
  const usual = call(others());
  const withoutField = call(others(...parameters.filter((one) => one.name === 'field')));
  return [
    call(['a']),
    call(['nope=1']),
    ...PLACES.map((place) => place(usual, withoutField)),
    ...parameters.flatMap((parameter) => [
      call(others(parameter)),
      call([...others(), `${parameter.name}=${validValue(parameter)}`]),
      ...oddValues(parameter).flatMap((value) => [
        call([...others(parameter), `${parameter.name}=${value}`]),
        ...(parameter.isUnnamed ? [call([value, ...others(parameter)])] : []),
      ]),
      ...parameters
        .filter((other) => other !== parameter)
        .flatMap((other) =>
          [validValue(parameter), '[a, b, c]'].map((value) =>
            call([
              ...others(parameter, other),
              `${parameter.name}=${value}`,
              `${other.name}=${validValue(other)}`,
            ]),
          ),
        ),
    ]),
  ];
}

function oddValues({ form }: ParameterSignature): readonly string[] {
  const values = splitValues(ODD[form.kind] ?? '');
  return form.kind === 'integer' ? [...values, `${form.min - 1}`, `${form.max}`, `${form.max + 1}`] : values;
}

function validValue({ form, expects, isList }: ParameterSignature): string {
  if (form.kind === 'choice') return form.choices[0]!;
  if (form.kind === 'integer') return String(form.min + 1);
  if (form.kind === 'filter' && isList) return '[{ a=1 }, { b=2 }]';
  const [pattern, value] = VALID_OTHERS.find(([one]) => form.kind === 'other' && one.test(expects)) ?? [];
  return value === undefined ? VALID[form.kind] : (pattern!.exec(expects)![1] ?? value);
}

/** Splits at commas outside of brackets and quotes. */
function splitValues(list: string): readonly string[] {
  return (
    list.match(
      /(?:"(?:\\.|[^"\\])*"|\/\S+\/|\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\](?:\])?|\{(?:[^{}]|\{[^{}]*\})*\}|[^,])+/g,
    ) ?? []
  ).map((one) => one.trim());
}
