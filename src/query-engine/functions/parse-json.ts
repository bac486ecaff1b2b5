import { fieldName, fieldNames, flag, oneOf, text } from '../argument-types.ts';
import { readField, writeField } from '../event.ts';
import { defineTransform, withDefault } from '../function-spec.ts';
import { readJson } from '../json-fields.ts';
import { editStep } from '../operators/edit.ts';

/** Makes fields of the JSON text in a field. Text that isn't JSON leaves the event as it is, with `@error` set. */
export const parseJson = defineTransform({
  name: 'parseJson',
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
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
    return editStep((row) => {
      const source = readField(row, field);
      if (source === undefined) return;
      const found: [name: string, value: string][] = [];
      const isJson = readJson(source, (path, value, kind) => {
        if (!isWanted(path) || (kind === 'null' && handleNull === 'discard')) return;
        const content = kind === 'null' && handleNull === 'empty' ? '' : value;
        if (!(excludeEmpty && content === '')) found.push([prefix + shorten(path), content]);
      });
      if (isJson) {
        for (const [name, value] of found) writeField(row, name, value);
      } else {
        row['@error'] = 'true';
        row['@error_msg'] = `The field "${field}" holds no valid JSON.`;
      }
    });
  },
});

/** Leaves out paths below an excluded one, unless they are below an included one. `[*]` is any element. */
function pathSelection(exclude: readonly string[], include: readonly string[]): (path: string) => boolean {
  if (exclude.length === 0) return () => true;
  const isExcluded = pathPrefix(exclude);
  const isIncluded = include.length === 0 ? () => false : pathPrefix(include);
  return (path) => !isExcluded(path) || isIncluded(path);
}

function pathPrefix(paths: readonly string[]): (path: string) => boolean {
  const sources = paths.map((path) =>
    path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\\[\\*\\]', '\\[\\d+\\]'),
  );
  const pattern = new RegExp(`^(?:${sources.join('|')})(?![^.[])`);
  return (path) => pattern.test(path);
}

/** Cuts off the longest of the prefixes that a path begins with. */
function prefixRemoval(prefixes: readonly string[]): (path: string) => string {
  const longestFirst = prefixes.toSorted((a, b) => b.length - a.length);
  return (path) => {
    const prefix = longestFirst.find((candidate) => path.startsWith(candidate) && path !== candidate);
    return prefix === undefined ? path : path.slice(prefix.length);
  };
}
