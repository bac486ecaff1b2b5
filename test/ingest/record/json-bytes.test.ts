import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfValue, NOT_PLAIN } from '../../../src/ingest/record/json-bytes.ts';
import { cases } from '../../helpers/laws.ts';

const MAX_DEPTH = 5;

/** Whether the whole text is verified. What follows it in memory must not matter. */
function isProved(text: string, behind = ''): boolean {
  const bytes = Buffer.from(text + behind);
  const end = Buffer.byteLength(text);
  return endOfValue(bytes, 0, end, MAX_DEPTH) === end;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const fragment = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '"\\n"', '"\\u00e9"', '"\\ud83d"', '"€"'],
  ...['-', '0', '7', '12', '.', '.5', 'e', 'E+', '1e5', 'true', 'fals', 'false', 'null', ' ', '\n', '\t'],
);

describe('endOfValue()', () => {
  it('accepts only valid JSON without newlines or tabs', () => {
    const text = fc.array(fragment, { maxLength: 9 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fragment, (json, behind) => {
        if (!isProved(json, behind)) return;
        expect(isJson(json)).toBe(true);
        expect(json).not.toMatch(/[\n\t]/);
      }),
      cases(800),
    );
  });

  it('accepts all output of JSON.stringify up to maxDepth, except surrogate escapes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: MAX_DEPTH, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(isProved(text)).toBe(!/\\ud/.test(text.replaceAll('\\\\', '')));
      }),
      cases(200),
    );
  });

  it.each([
    '0',
    '-0',
    '-12.50e-7',
    '1E+400',
    '""',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\ue000\\uD7ff"',
    '{}',
    '[]',
    '[[],{"a":[true,false,null]}]',
    '[[[[[1]]]]]',
  ])('accepts %s', (text) => {
    expect(isProved(text)).toBe(true);
  });

  it.each([
    ...['', '01', '+1', '.5', '1.', '-', '1e', '1e+', 'tru', 'truex', 'nul', 'undefined', 'NaN'],
    ...['"', '"a', '"\\x"', '"\\u00g0"', '"\\u00', '"\u0001"', '"\\ud800"', '"\\uDC00"'],
    ...['{', '{"a"}', '{"a":}', '{"a":1,}', '{,}', '{a:1}', '{"a":1 }', '[', '[1,]', '[,]', '[1 ,2]', '[1}'],
    '[[[[[[1]]]]]]',
  ])('rejects %j', (text) => {
    expect(isProved(text)).toBe(false);
    expect(endOfValue(Buffer.from(text), 0, Buffer.byteLength(text), MAX_DEPTH)).toSatisfy(
      (end: number) => end === NOT_PLAIN || end < Buffer.byteLength(text),
    );
  });
});
