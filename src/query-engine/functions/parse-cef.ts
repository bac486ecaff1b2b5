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

/**
 * Extracts fields from a message in the Common Event Format. If the text has another format, sets `@error` and leaves
 * the event unchanged.
 */
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

interface CefMessage {
  /** Version, vendor, product, device version, event class, name, severity. */
  readonly header: readonly string[];
  readonly extension: ReadonlyMap<string, string>;
}

/** A header part. A backslash escapes the next character. */
const PART = /((?:[^|\\]|\\.?)*)(\||$)/sy;
/** A key starts after whitespace, where the previous value ends. */
const KEY = /(?<=^|\s)([^\s=\\|]+)=/g;

/** Parses a message, skipping a syslog header before it; `undefined` if there is none. */
function readCef(text: string): CefMessage | undefined {
  const start = text.indexOf('CEF:');
  if (start === -1) return undefined;
  const header: string[] = [];
  PART.lastIndex = start + 4;
  while (header.length < HEADER_NAMES.length) {
    const [, part = '', separator] = PART.exec(text) ?? [];
    // Without an extension, the message may end after the severity.
    const isLast = header.length === HEADER_NAMES.length - 1;
    if (separator !== '|' && !(isLast && part !== '')) return undefined;
    header.push(part.replace(/\\(.)/gs, '$1'));
  }
  return { header, extension: readExtension(text.slice(PART.lastIndex)) };
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
