import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TagWriter } from '../../../src/ingest/record/tags.ts';
import { cases } from '../../helpers/laws.ts';

const tags = new TagWriter({ service: 'shop' }, ['level']);

describe('TagWriter protect()', () => {
  it.each([
    ['{"attributes":{"#service":1}}', '{"attributes":{"_#service":1}}'],
    ['{"attributes":{"a":"x","#level":1.50,"b":2}}', '{"attributes":{"a":"x","_#level":1.50,"b":2}}'],
    ['{ "attributes" : { "#service" : "#service" } }', '{ "attributes" : { "_#service" : "#service" } }'],
    ['{"attributes":{"\\u0023service":1}}', '{"attributes":{"_\\u0023service":1}}'],
    ['{"attributes":{"#s\\u0065rvice":1}}', '{"attributes":{"_#s\\u0065rvice":1}}'],
    ['{"\\u0061ttributes":{"#service":1}}', '{"\\u0061ttributes":{"_#service":1}}'],
    ['{"attributes":{"#service":1,"#service":2}}', '{"attributes":{"_#service":1,"_#service":2}}'],
    ['{"attributes":{"_#service":1,"#service":2}}', '{"attributes":{"_#service":1,"__#service":2}}'],
    [
      '{"attributes":{"#service":1},"attributes":{"#level":2}}',
      '{"attributes":{"_#service":1},"attributes":{"_#level":2}}',
    ],
  ])('prefixes fields named like a tag with an underscore: %s', (text, protectedText) => {
    expect(tags.protect(text)).toBe(protectedText);
  });

  it.each([
    '{"attributes":{"#other":1,"service":"x","##service":2,"#":3,"#Service":4}}',
    '{"attributes":{"nested":{"#service":1},"list":["#service",{"#service":2}]}}',
    '{"attributes":{"text":"\\"#service\\":1"},"rawstring":"{\\"#service\\":1}","#service":2}',
    '{"attributes":["#service",1]}',
    '{"attributes":"#service"}',
    '{"attributes":{"\\x":"#service"}}',
  ])('does not change an event without such fields: %s', (text) => {
    expect(tags.protect(text)).toBe(text);
  });

  it("renames fields named like the event's own tags", () => {
    const text = '{"attributes":{"#region":1,"#zone":2}}';
    expect(tags.protect(text, { region: 'eu', zone: 5 })).toBe('{"attributes":{"_#region":1,"#zone":2}}');
  });

  const name = fc.oneof(
    fc.constantFrom('#service', '_#service', '__#service', '#level', '#other', '#'),
    fc.string(),
  );

  it('keeps all fields and values, and renames only fields named like a tag', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), fc.constantFrom(0, 2), (attributes, indent) => {
        const text = tags.protect(JSON.stringify({ timestamp: 1, attributes }, null, indent));
        const sent = Object.entries(JSON.parse(text).attributes);
        const expected = Object.entries(JSON.parse(JSON.stringify(attributes)));
        expect(sent.map(([, value]) => value)).toEqual(expected.map(([, value]) => value));
        for (const [index, [sentName]] of sent.entries()) {
          const given = expected[index]![0];
          if (given === '#service' || given === '#level')
            expect(sentName).toMatch(new RegExp(`^_+${given}$`));
          else expect(sentName).toBe(given);
        }
      }),
      cases(),
    );
  });

  it('never throws for invalid JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '"#service"',
      '"attributes"',
      ':',
      ',',
      '\\',
      '"',
      '\\u0023',
      '[',
      '1',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(typeof tags.protect(`{"attributes":{${pieces.join('')}`)).toBe('string');
      }),
      cases(),
    );
  });
});
