import Papa from 'papaparse';
import { SaxesParser } from 'saxes';
import { escapeRegex } from '../../core/escape-regex.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { markError } from '../formats/parse-error.ts';
import { additionStep } from '../operators/field-steps.ts';
import type { StreamStep } from '../operators/operator.ts';
import { fieldStep, rowStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, listOf, oneOf, text } from '../signature/argument-types.ts';
import { define, optional, rawstring, required, unnamed, withDefault } from '../signature/function-spec.ts';

/** Extracts fields from one CSV line, named by `columns`. */
export const parseCsv = define.transform({
  name: 'parseCsv',
  uncertain: [
    'Values beyond the last column are ignored. A column without a value sets no field.',
    'Only the first line is parsed. A newline within quotes is part of the value.',
  ],
  parameters: {
    field: rawstring,
    columns: required(fieldNames),
    delimiter: withDefault(text, ','),
    excludeEmpty: withDefault(flag, false),
    trim: withDefault(flag, false),
  },
  compile({ field, columns, delimiter, excludeEmpty, trim }, call) {
    if (delimiter === '' || Papa.BAD_DELIMITERS.includes(delimiter)) {
      call.fail('parseCsv() needs a delimiter other than a quote or a newline', 'delimiter');
    }
    return fieldStep(field, columns, (source, row) => {
      const cells = readLine(source, delimiter);
      for (const [index, name] of columns.entries()) {
        const cell = cells[index];
        if (cell === undefined) break;
        const value = trim ? cell.trim() : cell;
        if (value !== '' || !excludeEmpty) writeField(row, name, value);
      }
    });
  },
});

/** The values of the first line. Lines without quotes, the most common ones, are only split. */
function readLine(source: string, delimiter: string): readonly string[] {
  if (!/["\r\n]/.test(source)) return source.split(delimiter);
  const [cells = []] = Papa.parse<string[]>(source, { delimiter, preview: 1 }).data;
  return cells;
}

/** Extracts fields from columns of fixed width. */
export const parseFixedWidth = define.transform({
  name: 'parseFixedWidth',
  uncertain: ['A column that starts after the end of the string sets no field.'],
  parameters: {
    field: rawstring,
    columns: required(fieldNames),
    widths: required(listOf(integer({ min: 1, max: 100_000 }))),
    trim: withDefault(flag, true),
  },
  compile({ field, columns, widths, trim }, call) {
    if (columns.length !== widths.length) {
      call.fail(`"widths" must have one number per column (${columns.length})`, 'widths');
    }
    return fieldStep(field, columns, (source, row) => {
      let start = 0;
      for (const [index, name] of columns.entries()) {
        if (start >= source.length) break;
        const end = start + widths[index]!;
        const value = source.slice(start, end);
        writeField(row, name, trim ? value.trim() : value);
        start = end;
      }
    });
  },
});

type Padding = 'unknown' | 'yes' | 'no';

/** Extracts fields from `key=value`, `key="a value"` and `key='a value'`. Skips anything in between. */
export const kvParse = define.transform({
  name: 'kvParse',
  uncertain: [
    'With `separatorPadding="unknown"`, whitespace around the separator is accepted only if it is on both sides.',
  ],
  parameters: {
    field: rawstring,
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
      const fields: Fields = {};
      for (const [, key = '', double, single, bare] of source.matchAll(pairs)) {
        const value = double?.replaceAll('\\"', '"') ?? single?.replaceAll("\\'", "'") ?? bare ?? '';
        if (excludeEmpty && value === '') continue;
        const name = prefix + key;
        if (onDuplicate === 'keepLast' || readField(fields, name) === undefined)
          writeField(fields, name, value);
      }
      return fields;
    };
    return additionStep(field, parse, override);
  },
});

/** Groups: the key, then a value in double quotes, in single quotes, or bare up to whitespace or a comma. */
function pairPattern(separator: string, padding: Padding): RegExp {
  const quoted = escapeRegex(separator);
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

/** Splits a URL or a part of one, such as `/path?query`, by the rules of `java.net.URI`. Decodes nothing. */
export const parseUrl = define.transform({
  name: 'parseUrl',
  parameters: {
    field: withDefault(fieldName, 'url', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }) {
    return partsStep(field, as, (text) => withoutOpaquePart(splitUri(text)));
  },
});

/** In `mailto:a@example.com` and `example.com:80/x`, what follows the scheme is neither a path nor a query. */
function withoutOpaquePart(parts: UriParts | undefined): UriParts | undefined {
  const { scheme, host, path } = parts ?? {};
  const isOpaque = scheme !== undefined && host === undefined && path !== undefined && !path.startsWith('/');
  return parts && isOpaque ? { ...parts, path: undefined, query: undefined } : parts;
}

/** Splits a URI or a reference such as `/path?query`. Decodes nothing. */
export const parseUri = define.transform({
  name: 'parseUri',
  uncertain: [
    'The parts have the same names as in `parseUrl()`.',
    '`defaultBase` applies to strings without "scheme://". "." and ".." in paths are not resolved.',
  ],
  parameters: { field: unnamed(fieldName), defaultBase: optional(text), prefix: optional(fieldName) },
  compile: ({ field, defaultBase, prefix = field }) =>
    partsStep(field, prefix, (text) =>
      splitUri(defaultBase === undefined ? text : resolveReference(text, defaultBase)),
    ),
});

/** Writes the existing parts of a field's value to `<prefix>.scheme` and so on. */
function partsStep(field: string, prefix: string, split: (text: string) => UriParts | undefined): StreamStep {
  const names = URI_PARTS.map((part) => `${prefix}.${part}`);
  return fieldStep(field, names, (text, row) => {
    const parts = split(text);
    for (const [index, part] of URI_PARTS.entries()) {
      const value = parts?.[part];
      if (value !== undefined) writeField(row, names[index]!, value);
    }
  });
}

const URI_PARTS = ['scheme', 'username', 'password', 'host', 'port', 'path', 'query', 'fragment'] as const;

/** The parts of a URI, not decoded. Missing parts are `undefined`. */
type UriParts = Readonly<Record<(typeof URI_PARTS)[number], string | undefined>>;

const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^:@]*)(?::([^@]*))?@)?(\[[^\]]*\]|[^:@[\]]*)(?::(\d*))?$/;

/** Splits a URI or a reference such as `/path?query`; `undefined` if it is invalid. */
function splitUri(text: string): UriParts | undefined {
  if (/\s/.test(text)) return undefined;
  const [, scheme, authority, path = '', query, fragment] = URI.exec(text) ?? [];
  const [whole, username, password, host, port] = AUTHORITY.exec(authority ?? '') ?? [];
  if (whole === undefined) return undefined;
  return {
    scheme,
    username,
    password,
    host: host || undefined,
    port: port || undefined,
    path: path || undefined,
    query,
    fragment,
  };
}

/** Resolves a reference against a base. A base without a host, such as `http://`, is only prepended. */
function resolveReference(reference: string, base: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(reference)) return reference;
  if (base.endsWith('//')) return base + reference.replace(/^\/\//, '');
  const [, scheme = '', authority = '', path = ''] = /^([^/?#]*:)?(\/\/[^/?#]*)?([^?#]*)/.exec(base) ?? [];
  if (reference.startsWith('//')) return scheme + reference;
  if (reference.startsWith('/')) return scheme + authority + reference;
  if (reference === '' || /^[?#]/.test(reference)) return scheme + authority + path + reference;
  return `${scheme}${authority}${path.slice(0, path.lastIndexOf('/') + 1) || '/'}${reference}`;
}

/** Extracts fields from XML in a field. If it is not XML, sets `@error` and leaves the event unchanged. */
export const parseXml = define.transform({
  name: 'parseXml',
  uncertain: [
    'An attribute is a member of its element: `<a b="1"/>` sets `a.b`.',
    'Repeated elements form an array: `a.b[0]`, `a.b[1]`. A single element has no index.',
    'Element text is trimmed. An empty element sets an empty field.',
    'Events without the field are unchanged, even with `strict=true`.',
  ],
  parameters: { field: rawstring, prefix: withDefault(text, ''), strict: withDefault(flag, false) },
  compile: ({ field, prefix, strict }) =>
    rowStep((_run, emit) => (row) => {
      const source = readField(row, field);
      if (source !== undefined) {
        const isXml = readXml(source, (path, value) => writeField(row, prefix + path, value));
        if (!isXml && strict) return;
        if (!isXml) markError(row, `The field "${field}" contains no valid XML.`);
      }
      emit(row);
    }),
});

/** Receives every value of an XML document, with its path as a field name. */
type XmlSink = (path: string, text: string) => void;

/** Deeper than any event. */
const MAX_DEPTH = 200;

interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: Element[];
  text: string;
}

/**
 * Parses XML. The text of an element has its path as the name (`Task.Author`), an attribute that of its element
 * (`Task.version`). Adjacent elements with the same name are numbered from 0: `Task.Arg[0]`, `Task.Arg[1]`.
 *
 * Names keep their namespace prefixes. Only the five predefined entities are supported, so documents can't expand
 * without limit.
 *
 * @returns false if it is not XML; then `sink` receives nothing.
 */
function readXml(text: string, sink: XmlSink): boolean {
  const parser = new SaxesParser();
  const top: Element = { name: '', attributes: [], children: [], text: '' };
  const open: Element[] = [top];
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: Object.entries(attributes), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
    if (open.length > MAX_DEPTH) throw new SyntaxError('too deep');
  });
  parser.on('closetag', () => open.pop());
  const addText = (piece: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('error', ({ message }) => {
    throw new SyntaxError(message);
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  for (const root of top.children) tell(root, root.name, sink);
  return top.children.length > 0;
}

function tell({ attributes, children, text }: Element, path: string, sink: XmlSink): void {
  const content = text.trim();
  const isLeaf = attributes.length === 0 && children.length === 0;
  if (content !== '' || isLeaf) sink(path, content);
  for (const [name, value] of attributes) sink(`${path}.${name}`, value);
  const counts = new Map<string, number>();
  for (const { name } of children) counts.set(name, (counts.get(name) ?? 0) + 1);
  const indexes = new Map<string, number>();
  for (const child of children) {
    const { name } = child;
    const index = indexes.get(name) ?? 0;
    indexes.set(name, index + 1);
    tell(child, counts.get(name) === 1 ? `${path}.${name}` : `${path}.${name}[${index}]`, sink);
  }
}
