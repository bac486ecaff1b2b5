import { escapeRegex } from '../../core/escape-regex.ts';
import { converted } from '../columns/expression.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { readJson } from '../formats/json-fields.ts';
import { indentJson } from '../formats/json-layout.ts';
import { writeJsonTree } from '../formats/json-tree.ts';
import { markError } from '../formats/parse-error.ts';
import { indentXml } from '../formats/xml-layout.ts';
import { additionStep } from '../operators/field-steps.ts';
import { fieldNames, flag, integer, oneOf, text } from '../signature/argument-types.ts';
import { define, rawstring, withDefault } from '../signature/function-spec.ts';
import { compileGlob, type TextMatcher } from '../text/glob.ts';
import { MAX_TEXT_LENGTH, TextLengthError } from '../text/text-limit.ts';

/** Extracts fields from JSON in a field. If it is not JSON, sets `@error` and leaves the event unchanged. */
export const parseJson = define.transform({
  name: 'parseJson',
  uncertain: [
    'If a path is both excluded and included, the longer prefix wins.',
    'An empty object or array sets no field.',
    'Invalid JSON sets `@error` and `@error_msg` and leaves the other fields unchanged.',
  ],
  parameters: {
    field: rawstring,
    prefix: withDefault(text, ''),
    exclude: withDefault(fieldNames, []),
    include: withDefault(fieldNames, []),
    removePrefixes: withDefault(fieldNames, []),
    excludeEmpty: withDefault(flag, false),
    handleNull: withDefault(oneOf('keep', 'discard', 'empty'), 'keep'),
  },
  compile({ field, prefix, exclude, include, removePrefixes, excludeEmpty, handleNull }) {
    const isWanted = pathSelection(exclude, include);
    const shorten = prefixRemoval(removePrefixes);
    return additionStep(field, (source) => {
      const fields: Fields = {};
      let length = 0;
      const isJson = readJson(source, (path, value, kind) => {
        if (!isWanted(path) || (kind === 'null' && handleNull === 'discard')) return;
        // With deep nesting, the names can be a hundred times as long as the text.
        length += path.length + value.length;
        if (length > MAX_TEXT_LENGTH) throw new TextLengthError('fields');
        const content = kind === 'null' && handleNull === 'empty' ? '' : value;
        if (!(excludeEmpty && content === '')) writeField(fields, prefix + shorten(path), content);
      });
      return isJson ? fields : markError({}, `The field "${field}" contains no valid JSON.`);
    });
  },
});

/** The longest matching prefix decides whether a path is excluded. `[*]` matches any index. */
function pathSelection(exclude: readonly string[], include: readonly string[]): (path: string) => boolean {
  if (exclude.length === 0) return () => true;
  const excludedBy = longestPrefix(exclude);
  const includedBy = longestPrefix(include);
  return (path) => {
    const excluded = excludedBy(path);
    return excluded === -1 || includedBy(path) > excluded;
  };
}

/** The length of the longest matching prefix; -1 if none matches. */
function longestPrefix(prefixes: readonly string[]): (path: string) => number {
  const patterns = prefixes.map((prefix) => ({ test: pathPrefix(prefix), length: prefix.length }));
  return (path) =>
    patterns.reduce((most, { test, length }) => (test(path) ? Math.max(most, length) : most), -1);
}

/** `a.b` is a prefix of `a.b.c` and `a.b[0]`, but not of `a.bc`. The empty prefix and `a.` match whatever follows. */
function pathPrefix(prefix: string): (path: string) => boolean {
  const isOpen = prefix === '' || prefix.endsWith('.');
  const isEnd = (next: string | undefined): boolean =>
    isOpen || next === undefined || next === '.' || next === '[';
  if (!prefix.includes('[*]')) return (path) => path.startsWith(prefix) && isEnd(path[prefix.length]);
  const pieces = prefix.split('[*]').map(escapeRegex);
  const pattern = new RegExp(`^${pieces.join('\\[\\d+\\]')}`);
  return (path) => {
    const [found] = pattern.exec(path) ?? [];
    return found !== undefined && isEnd(path[found.length]);
  };
}

/** Removes the longest matching prefix. */
function prefixRemoval(prefixes: readonly string[]): (path: string) => string {
  const longestFirst = prefixes.toSorted((a, b) => b.length - a.length);
  return (path) => {
    const prefix = longestFirst.find((candidate) => path.startsWith(candidate) && path !== candidate);
    return prefix === undefined ? path : path.slice(prefix.length);
  };
}

/** Builds JSON from all fields whose names start with one of the given prefixes; `*` in a prefix is a wildcard. */
export const writeJson = define.value({
  name: 'writeJson',
  output: '_json',
  uncertain: [
    'Numbers, true, false and null are written without quotes.',
    'If a field name conflicts with another, such as `a.b` and `a`, the whole name becomes a key.',
  ],
  parameters: { field: withDefault(fieldNames, ['@rawstring'], { unnamed: true }) },
  compile({ field }) {
    const tests = field.map((name) =>
      name.includes('*')
        ? compileGlob(`${name}*`, { anchored: true })
        : (text: string) => text.startsWith(name),
    );
    return (row) => writeJsonTree(selectFields(row, tests));
  },
});

function* selectFields(row: Fields, tests: readonly TextMatcher[]): Iterable<readonly [string, string]> {
  for (const name in row) {
    const value = readField(row, name);
    if (value !== undefined && tests.some((test) => test(name))) yield [name, value];
  }
}

/** Pretty-prints JSON. Other text stays unchanged or, with `strict`, gives no result. */
export const jsonPrettyPrint = define.value({
  name: 'json:prettyPrint',
  output: ({ field }) => field,
  uncertain: ['Only the first 200 levels are indented.'],
  parameters: {
    field: rawstring,
    step: withDefault(integer({ min: 2, max: 100 }), 2),
    strict: withDefault(flag, false),
  },
  compile({ field, step, strict }) {
    const indentation = ' '.repeat(step);
    return converted(field, (value) => indentJson(value, indentation) ?? (strict ? undefined : value));
  },
});

/** Pretty-prints XML. Other text stays unchanged or, with `strict`, gives no result. */
export const xmlPrettyPrint = define.value({
  name: 'xml:prettyPrint',
  output: ({ field }) => field,
  uncertain: ['Lines break only between tags and text, so a long tag or long text can exceed `width`.'],
  parameters: {
    field: rawstring,
    step: withDefault(integer({ min: 0, max: 100 }), 2),
    width: withDefault(integer({ min: 1, max: 100_000 }), 80),
    strict: withDefault(flag, false),
  },
  compile({ field, step, width, strict }) {
    const indentation = ' '.repeat(step);
    return converted(field, (value) => indentXml(value, indentation, width) ?? (strict ? undefined : value));
  },
});
