import { readField, writeField } from '../event.ts';
import { applyLabels } from '../formats/extension-pairs.ts';
import { markError } from '../formats/parse-error.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import { defineTransform, withDefault } from '../signature/function-spec.ts';

const HEADER_NAMES = [
  'version',
  'device.vendor',
  'device.product',
  'device.version',
  'event_class_id',
  'name',
  'severity',
] as const;

/** Makes fields of a message in the Common Event Format. Other text leaves the event as it is, with `@error` set. */
export const parseCEF = defineTransform({
  name: 'parseCEF',
  uncertain: [
    'A label is a member whose name ends in "Label". With `keeplabels=false`, neither the label nor its value is kept as a member.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    headerprefix: withDefault(text, 'cef.'),
    prefix: withDefault(text, 'cef.ext.'),
    labelprefix: withDefault(text, 'cef.label.'),
    keeplabels: withDefault(flag, false),
  },
  compile({ field, headerprefix, prefix, labelprefix, keeplabels }) {
    return editStep((row) => {
      const source = readField(row, field);
      if (source === undefined) return;
      const message = readCef(source);
      if (message === undefined) return markError(row, `The field "${field}" contains no valid CEF.`);
      for (const [index, name] of HEADER_NAMES.entries()) {
        writeField(row, headerprefix + name, message.header[index]!);
      }
      const { members, labeled } = applyLabels(message.extension, keeplabels);
      for (const [name, value] of members) writeField(row, prefix + name, value);
      for (const [label, value] of labeled) writeField(row, labelprefix + label, value);
    });
  },
});

/** A message in the Common Event Format. */
interface CefMessage {
  /** Version, vendor, product, device version, event class, name, severity. */
  readonly header: readonly string[];
  readonly extension: ReadonlyMap<string, string>;
}

const HEADERS = 7;
/** A key begins after whitespace, so the value before it ends there. */
const KEY = /(?<=^|\s)([^\s=\\|]+)=/g;

/** Reads a message, with whatever a syslog server wrote before it; `undefined` when there is none. */
function readCef(text: string): CefMessage | undefined {
  const start = text.indexOf('CEF:');
  if (start === -1) return undefined;
  const { parts, end } = splitHeader(text, start + 4, HEADERS);
  if (parts.length < HEADERS) return undefined;
  return { header: parts, extension: readExtension(text.slice(end)) };
}

/** Splits at `|`; a backslash takes the next character as it is. */
function splitHeader(text: string, start: number, count: number): { parts: string[]; end: number } {
  const parts: string[] = [];
  let part = '';
  let position = start;
  for (; position < text.length && parts.length < count; position += 1) {
    const character = text[position]!;
    if (character === '|') {
      parts.push(part);
      part = '';
    } else if (character === '\\' && position + 1 < text.length) {
      position += 1;
      part += text[position];
    } else {
      part += character;
    }
  }
  // A message without an extension may end right after the severity.
  if (parts.length === count - 1 && part !== '') parts.push(part);
  return { parts, end: position };
}

function readExtension(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const keys = [...text.matchAll(KEY)];
  for (const [index, match] of keys.entries()) {
    const [whole, key = ''] = match;
    const end = keys[index + 1]?.index ?? text.length;
    pairs.set(key, unescapeValue(text.slice(match.index + whole.length, end).trimEnd()));
  }
  return pairs;
}

function unescapeValue(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\(.)/gs, (_, character: string) => {
    if (character === 'n') return '\n';
    return character === 'r' ? '\r' : character;
  });
}
