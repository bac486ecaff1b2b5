import { type Fields, readField, writeField } from '../event.ts';
import { additionStep } from '../operators/field-steps.ts';
import { fieldName, flag, oneOf, text } from '../signature/argument-types.ts';
import { defineTransform, optional, withDefault } from '../signature/function-spec.ts';

type Padding = 'unknown' | 'yes' | 'no';

/** Extracts fields from `key=value`, `key="a value"` and `key='a value'`. Skips anything in between. */
export const kvParse = defineTransform({
  name: 'kvParse',
  uncertain: [
    'With `separatorPadding="unknown"`, whitespace around the separator is accepted only if it is on both sides.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    as: optional(text, { aliases: ['prefix'] }),
    separator: withDefault(text, '='),
    separatorPadding: withDefault(oneOf('unknown', 'yes', 'no'), 'unknown'),
    override: withDefault(flag, false),
    onDuplicate: withDefault(oneOf('keepLast', 'keepFirst'), 'keepLast'),
    excludeEmpty: withDefault(flag, false),
  },
  compile({ field, as, separator, separatorPadding, override, onDuplicate, excludeEmpty }, call) {
    if (separator === '') call.fail('kvParse() needs a separator of at least one character', 'separator');
    const pairs = pairPattern(separator, separatorPadding);
    const prefix = as === undefined ? '' : `${as}.`;
    const parse = (source: string): Fields => {
      const found: Fields = {};
      for (const [, key = '', double, single, bare] of source.matchAll(pairs)) {
        const value = double?.replaceAll('\\"', '"') ?? single?.replaceAll("\\'", "'") ?? bare ?? '';
        if (excludeEmpty && value === '') continue;
        const name = prefix + key;
        if (onDuplicate === 'keepLast' || readField(found, name) === undefined)
          writeField(found, name, value);
      }
      return found;
    };
    return additionStep(field, parse, override);
  },
});

/** Groups: the key, then a value in double quotes, in single quotes, or bare up to whitespace or a comma. */
function pairPattern(separator: string, padding: Padding): RegExp {
  const quoted = separator.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  // Excludes the separator's first character from keys, which would otherwise include it.
  const first = separator[0]!.replace(/[\\\]^-]/, '\\$&');
  const delimiter = `\\s,"'${first}`;
  // By default, padding must be on both sides: in "a= b=1", a is empty.
  const between = {
    yes: `\\s*${quoted}\\s*`,
    no: quoted,
    unknown: `(?:\\s+${quoted}\\s+|${quoted})`,
  }[padding];
  // With padding, a word before another separator is the next key, and the value is empty.
  const notNextKey = padding === 'yes' ? `(?![^${delimiter}]+\\s+${quoted})` : '';
  const value = `"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'|${notNextKey}([^\\s,]*)`;
  // Looks for keys only after a delimiter: a long word without a separator would take quadratic time.
  return new RegExp(`(?<![^${delimiter}])([^${delimiter}]+)${between}(?:${value})`, 'gs');
}
