import { type Fields, readField } from '../event.ts';
import { writeJsonTree } from '../formats/json-tree.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineValue, optional, withDefault } from '../signature/function-spec.ts';
import { compileGlob, type TextMatcher } from '../text/glob.ts';

/** Builds JSON from all fields whose names start with one of the given prefixes; `*` in a prefix is a wildcard. */
export const writeJson = defineValue({
  name: 'writeJson',
  output: '_json',
  uncertain: [
    'Numbers, true, false and null are written without quotes.',
    'If a field name conflicts with another, such as `a.b` and `a`, the whole name becomes a key.',
  ],
  parameters: {
    field: withDefault(fieldNames, ['@rawstring'], { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field }) {
    const tests = field.map(nameMatcher);
    return (row) => writeJsonTree(selectFields(row, tests));
  },
});

function nameMatcher(name: string): TextMatcher {
  return name.includes('*') ? compileGlob(`${name}*`, { anchored: true }) : (text) => text.startsWith(name);
}

function* selectFields(row: Fields, tests: readonly TextMatcher[]): Iterable<readonly [string, string]> {
  for (const name in row) {
    const value = readField(row, name);
    if (value !== undefined && tests.some((test) => test(name))) yield [name, value];
  }
}
