import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogOptionsException, lql, type QueryFragment } from '../../../src/index.ts';
import { childrenOf, print, type QueryNode, QuerySyntaxError } from '../../../src/language/index.ts';
import { cases } from '../../helpers/laws.ts';
import { anyPipeline } from '../../language/any-pipeline.ts';
import { parse } from './syntax-tree.ts';

const STAND_IN = 'standIn';

type Template = (inserted: QueryFragment) => QueryFragment;

const BESIDE_FILTERS: readonly Template[] = [
  (inserted) => lql`${inserted}`,
  (inserted) => lql`not ${inserted}`,
  (inserted) => lql`a=1 !${inserted} | count()`,
  (inserted) => lql`a=1 ${inserted} b`,
  (inserted) => lql`a=1 and ${inserted} and b`,
  (inserted) => lql`a=1 or ${inserted}`,
  (inserted) => lql`${inserted} or a=1 b=2`,
  (inserted) => lql`a or not ${inserted} or b`,
  (inserted) => lql`not (${inserted}) a=or`,
  (inserted) => lql`a | ${inserted} | b`,
  (inserted) => lql`case { a or ${inserted}; not ${inserted} | b; * }`,
  (inserted) => lql`join({not ${inserted}}, field=f) or b`,
  (inserted) => lql`not ${lql`${inserted}`} ${lql`a ${inserted}`}`,
  (inserted) => lql`a or ${lql`b ${lql`c or ${inserted}`}`}`,
  (inserted) => lql.join([lql`a b`, inserted, lql`c or d`], ' or '),
  (inserted) => lql`not ${lql.join([inserted, lql`c`], ' and ')}`,
];

const BESIDE_EXPRESSIONS: readonly Template[] = [
  (inserted) => lql`x := ${inserted} | y`,
  (inserted) => lql`x := 2 * ${inserted}`,
  (inserted) => lql`x := ${inserted} - 1`,
  (inserted) => lql`x := -${inserted}`,
  (inserted) => lql`test(${inserted} == b) not a`,
  (inserted) => lql`test(!${inserted})`,
  (inserted) => lql`if(${inserted}, then=a / ${inserted}, else=[${inserted}])`,
];

const FILTER_KINDS = ['And', 'Or', 'Not', 'Boolean', 'Comparison', 'FreeText', 'Call'];

/** The text of each filter in a query of any form. */
const anyFilter = fc
  .tuple(anyPipeline, fc.nat())
  .map(([pipeline, n]) => {
    const source = print(pipeline);
    const filters = filtersIn(parse(source).pipeline);
    const span = filters[n % filters.length]?.span;
    return span === undefined ? 'a b' : source.slice(span.start, span.end);
  })
  .filter((text) => stepKinds(text).every((kind) => FILTER_KINDS.includes(kind)));

const anyExpression = fc.constantFrom(
  'a',
  '-a',
  '!a',
  '"s" + b',
  'a - b - c',
  'a * b',
  'a / (b + c)',
  'a == b',
  'not a',
  'max(a + b)',
  'f(a) + g(b=c)',
  'a <=> b',
);

function filtersIn(node: QueryNode): QueryNode[] {
  return [
    ...(FILTER_KINDS.includes(node.kind) ? [node] : []),
    ...childrenOf(node).flatMap((child) => filtersIn(child)),
  ];
}

/** The kinds of a text as a query, if it is one step. */
function stepKinds(text: string): string[] {
  try {
    const { steps } = parse(text).pipeline;
    return steps.length === 1 ? steps.map(({ kind }) => kind) : ['none'];
  } catch {
    return ['none'];
  }
}

interface Node {
  readonly kind?: string;
  readonly operands?: readonly Node[];
}

/** `a b` next to `c` is the same as `a b c`, and similarly with `or`. */
function flat(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree), (_, node: Node | null) => {
    if (node?.operands === undefined) return node;
    const operands = node.operands.flatMap((operand) =>
      operand.kind === node.kind ? (operand.operands ?? []) : [operand],
    );
    return { ...node, operands };
  });
}

/** The tree of a template, with another tree in place of the inserted value. */
function replaced(template: Template, by: unknown): unknown {
  return JSON.parse(JSON.stringify(parse(String(template(lql.raw(STAND_IN)))).json), (_, node) => {
    const isFilter = node?.kind === 'FreeText' && node.value?.text === STAND_IN;
    const isOperand = node?.kind === 'Bareword' && node.text === STAND_IN;
    return isFilter || isOperand ? by : node;
  });
}

/** A fragment with this text. */
const templated = (text: string): QueryFragment => lql(Object.assign([text], { raw: [text] }));

const DIVISION_AFTER_STAR = /\*[()]*\s*\/(?!\/)/;

describe('An inserted fragment means the same as on its own', () => {
  it('if it is a call of match(), which is not a match expression', () => {
    expect(String(lql`a or ${lql`b match()`}`)).toBe('a or (b match())');
  });

  it.each([...BESIDE_FILTERS.entries()])('in a filter (%i)', (_, template) => {
    fc.assert(
      fc.property(anyFilter, (text) => {
        // `* /` also starts a regex after a wildcard; lql rejects the fragment.
        fc.pre(!DIVISION_AFTER_STAR.test(text));
        const [own] = parse(text).pipeline.steps;
        const tree = parse(String(template(templated(text)))).json;
        expect(flat(tree)).toEqual(flat(replaced(template, withoutPlaces(own))));
      }),
      cases(25),
    );
  });

  it.each([...BESIDE_EXPRESSIONS.entries()])('in an expression (%i)', (_, template) => {
    fc.assert(
      fc.property(anyExpression, (text) => {
        fc.pre(!DIVISION_AFTER_STAR.test(text));
        const [step] = parse(`x := ${text}`).pipeline.steps;
        const own = step?.kind === 'Assignment' ? step.value : undefined;
        const tree = parse(String(template(templated(text)))).json;
        expect(tree).toEqual(replaced(template, withoutPlaces(own)));
      }),
      cases(),
    );
  });
});

function withoutPlaces(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node, (key, value) => (/span$/i.test(key) ? undefined : value)));
}

describe('Parentheses around inserted fragments', () => {
  it.each<[fragment: QueryFragment, text: string]>([
    [lql`not ${lql`i=1 or i=2`}`, 'not (i=1 or i=2)'],
    [lql`not ${lql`i=1`} or ${lql`a like b`}`, 'not (i=1) or (a like b)'],
    [lql`${lql`a b`} c ${lql`d or e`} (${lql`f or g`})`, '(a b) c (d or e) (f or g)'],
    [lql.join([lql`a=${1}`, lql`b=${2} c=${'x'}`], ' or '), '(a=1) or (b=2 c="x")'],
    [lql`not ${lql`${lql`a or b`}`} c`, 'not (a or b) c'],
    [lql`not ${lql`in(a, values=[1]) case { b or c; * }`}`, 'not (in(a, values=[1]) case { b or c; * })'],
    [lql`not ${lql`a like or`} ${lql`b = and`}`, 'not (a like or) (b = and)'],
    [lql`f(${lql`a + b`}) | x := 2*${lql`a + ${3}`}`, 'f(a + b) | x := 2*(a + 3)'],
    [lql`a ${lql.raw('or b')} ${lql.raw('| c')} ${lql``}`, 'a or b | c '],
    [lql`${lql`a=1 | x := b`} | ${lql`count()`}`, 'a=1 | x := b | count()'],
    [lql`case { ${lql`a or b`}; * } | sort(${lql`limit=5`})`, 'case { a or b; * } | sort(limit=5)'],
    [lql`a or ${lql.field('b c')} = 1`, 'a or "b c" = 1'],
    [lql`host=web-${lql.raw('1 or b')} f=${lql.raw('a or b')}`, 'host=web-1 or b f=a or b'],
  ])('surround every fragment that is not a whole step, argument or element (%#)', (fragment, text) => {
    expect(String(fragment)).toBe(text);
  });

  it.each<[fragment: QueryFragment]>([
    [lql`f = ${lql`a or b`}`],
    [lql`f like ${lql`a b`}`],
    [lql`${lql`a or b`} = 1`],
    [lql`${lql`a b`} := 1`],
    [lql`not ${lql`a | b`}`],
    [lql`a or ${lql`b | x := c`}`],
    [lql`${lql`x := a`} - 5`],
  ])('make the query invalid, not different, where the language has no parentheses (%#)', (fragment) => {
    expect(() => parse(String(fragment))).toThrow(QuerySyntaxError);
  });

  it.each<[fragment: QueryFragment]>([[lql`count${lql`a or b`}`], [lql`${lql`a`}b`]])(
    'are rejected next to a word, which would become a function name (%#)',
    (fragment) => {
      expect(() => String(fragment)).toThrow(LogOptionsException);
      expect(() => String(fragment)).toThrow('touches other text');
    },
  );
});

describe('lql.join() of nothing', () => {
  it('is rejected with a hint', () => {
    expect(() => lql.join([], ' or ')).toThrow(LogOptionsException);
    expect(() => lql.join([], ' or ')).toThrow('lql.join(list, " or ", lql`false`) finds nothing');
    expect(() => lql.join([], ' or ', 'false' as never)).toThrow('"ifEmpty" must be made by lql');
  });

  it('uses its fallback', () => {
    expect(String(lql`v=* ${lql.join([], ' or ', lql`false`)}`)).toBe('v=* (false)');
    expect(String(lql`v=* ${lql.join([lql`a`], ' or ', lql`false`)}`)).toBe('v=* (a)');
  });
});
