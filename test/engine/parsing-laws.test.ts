import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { noReferenceData, PENDING } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf, runOf } from './run-query.ts';

const names = ['a', 'b', 'c', 'd'] as const;
/** Text with characters that are hard to parse. */
const texts = fc.string({
  unit: fc.constantFrom('a', '1', ' ', '"', "'", ',', '=', '|', '\\', '<', '&', ';', '\n', 'é', '😀'),
});

describe('parseCsv()', () => {
  test('reads the CSV of other writers', () => {
    fc.assert(
      fc.property(
        fc.array(texts, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(',', ';', '||'),
        (cells, delimiter) => {
          const f = Papa.unparse([cells], { delimiter, newline: '\n', quotes: true });
          const [row] = rowsOf(`parseCsv(f, columns=[a, b, c, d], delimiter="${delimiter}") | drop(f)`, [
            { f },
          ]);
          expect(row).toEqual(Object.fromEntries(cells.map((cell, index) => [names[index], cell])));
        },
      ),
      cases(),
    );
  });
});

describe('parseXml()', () => {
  type Tree = { readonly name: string; readonly text: string; readonly children: readonly Tree[] };
  const treeOfDepth = (depth: number): fc.Arbitrary<Tree> =>
    fc.record({
      name: fc.constantFrom(...names),
      text: texts.map((text) => text.trim()),
      children: depth === 0 ? fc.constant([]) : fc.array(treeOfDepth(depth - 1), { maxLength: 3 }),
    });
  const escapeXml = (text: string): string =>
    text.replace(/[<&]/g, (character) => `&#${character.charCodeAt(0)};`);
  const write = ({ name, text, children }: Tree): string =>
    `<${name} x="1">${escapeXml(text)}${children.map(write).join('\n')}</${name}>`;
  const count = ({ children }: Tree): number => children.reduce((sum, child) => sum + count(child), 1);

  test('returns a field for each text and each attribute', () => {
    const texted = ({ text, children }: Tree): string[] => [
      ...(text === '' ? [] : [text]),
      ...children.flatMap(texted),
    ];
    fc.assert(
      fc.property(treeOfDepth(3), (root) => {
        const [row = {}] = rowsOf('parseXml(f) | drop(f)', [{ f: write(root) }]);
        const attributes = Object.keys(row).filter((path) => path.endsWith('.x'));
        expect(attributes).toHaveLength(count(root));
        const values = Object.entries(row).filter(([path]) => !path.endsWith('.x'));
        expect(values.map(([, value]) => value).sort()).toEqual(texted(root).sort());
      }),
      cases(),
    );
  });
});

describe('parseCEF() and parseLEEF()', () => {
  const values = fc.dictionary(
    fc.constantFrom('src', 'dst', 'msg', 'act'),
    texts.map((text) => text.trim().replaceAll('\n', '')),
  );

  test('read records written by the rules of the format', () => {
    const escapeHeader = (text: string): string => text.replace(/[\\|]/g, '\\$&');
    const escapeValue = (text: string): string => text.replace(/[\\=]/g, '\\$&');
    fc.assert(
      fc.property(texts, values, (name, members) => {
        const extension = Object.entries(members).map(([key, value]) => `${key}=${escapeValue(value)}`);
        const f = `CEF:0|V|P|1|id|${escapeHeader(name)}|5|${extension.join(' ')}`;
        const [row] = rowsOf('parseCEF(f, prefix="") | drop(f)', [{ f }]);
        expect(row).toMatchObject({ 'cef.name': name, ...members });
      }),
      cases(),
    );
  });

  test('never fail', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        for (const f of [before, `${before}CEF:0|a|b|${after}`, `LEEF:2.0|a|b|c|d|${after}`]) {
          const query =
            'parseCEF(f) | parseLEEF(f) | parseXml(f) | parseCsv(f, columns=[x]) | parseUrl(f) | parseUri(f, defaultBase="http://h/p") | kvParse(f)';
          expect(rowsOf(query, [{ f }])).toHaveLength(1);
        }
      }),
      cases(),
    );
  });
});

test('reverseDns() warns while names are still being looked up', () => {
  const referenceData = { ...noReferenceData, hostName: (): typeof PENDING => PENDING };
  const run = runOf('reverseDns(a)', [{ a: '192.0.2.1' }, { a: '192.0.2.2' }], {
    library: { referenceData },
  });
  expect(run.rows()).toEqual([{ a: '192.0.2.2' }, { a: '192.0.2.1' }]);
  expect(run.warnings).toEqual([
    'reverseDns() is still waiting for names of addresses: run the query again to see them.',
  ]);
});

test.each([
  ['ipLocation(a)', 'ipLocation', 'ipLocation'],
  ['asn(a)', 'asn', 'asn'],
  ['reverseDns(a)', 'reverseDns', 'reverseDns'],
  ['ioc:lookup(a, type=ip_address)', 'ioc:lookup', 'indicators'],
  ['worldMap(ip=a)', 'worldMap', 'ipLocation'],
])('%s warns that the local server has no data for it, once there is an address', (query, name, option) => {
  expect(runOf(query, [{ b: '192.0.2.1' }]).warnings).toEqual([]);
  const run = runOf(query, [{ a: '192.0.2.1' }, { a: '192.0.2.2' }]);
  run.rows();
  expect(run.warnings).toEqual([
    `${name}() finds nothing: the local server needs the option "referenceData.${option}".`,
  ]);
});
