import { timeZoneOrUtc } from '../../core/time-zone.ts';
import { tryOr } from '../../core/try-or.ts';
import { type Fields, writeField } from '../event.ts';
import { markError } from '../formats/parse-error.ts';
import { fieldStep } from '../operators/row-code.ts';
import { flag, text, timeZone } from '../signature/argument-types.ts';
import { type ArgumentsOf, define, optional, rawstring, withDefault } from '../signature/function-spec.ts';
import {
  type Clock,
  type Instant,
  instantOf,
  type WrittenTime,
  type WrittenZone,
} from '../time/written-time.ts';
import { writeTimestamp } from '../timestamps/timestamp-fields.ts';
import { findTimestampIn } from '../timestamps/timestamp-finder.ts';
import { compileTimestampPattern } from '../timestamps/timestamp-pattern.ts';

/** The parameters of both formats that say where fields go. */
const prefixParameters = (format: string) => ({
  headerprefix: withDefault(text, `${format}.`),
  prefix: withDefault(text, `${format}.ext.`),
  labelprefix: withDefault(text, `${format}.label.`),
  keeplabels: withDefault(flag, false),
});

/** A message in one of the formats. */
interface Message {
  /** One part per name of the header. */
  readonly header: readonly string[];
  readonly members: ReadonlyMap<string, string>;
}

const LABEL = 'Label';

/** Writes the fields of a message. `cs1Label=Rule cs1=drop` becomes the value `drop` with the label `Rule`. */
function writeMessage(
  row: Fields,
  { header, members }: Message,
  names: readonly string[],
  { headerprefix, prefix, labelprefix, keeplabels }: ArgumentsOf<ReturnType<typeof prefixParameters>>,
): void {
  for (const [index, name] of names.entries()) writeField(row, headerprefix + name, header[index]!);
  const others = new Map(members);
  const labeled = new Map<string, string>();
  for (const [key, label] of members) {
    const name = key.slice(0, -LABEL.length);
    const value = members.get(name);
    if (!key.endsWith(LABEL) || label === '' || value === undefined) continue;
    labeled.set(label, value);
    if (!keeplabels) {
      others.delete(key);
      others.delete(name);
    }
  }
  for (const [name, value] of others) writeField(row, prefix + name, value);
  for (const [label, value] of labeled) writeField(row, labelprefix + label, value);
}

const CEF_HEADER = 'version device.vendor device.product device.version event_class_id name severity'.split(
  ' ',
);

/**
 * Extracts fields from a message in the Common Event Format. If the text has another format, sets `@error` and leaves
 * the event unchanged.
 */
export const parseCEF = define.transform({
  name: 'parseCEF',
  uncertain: [
    'A label is a member whose name ends in "Label". With `keeplabels=false`, neither the label nor its value is kept as a member.',
  ],
  parameters: {
    field: rawstring,
    ...prefixParameters('cef'),
  },
  compile: ({ field, ...prefixes }) =>
    fieldStep(field, [], (source, row) => {
      const message = readCef(source);
      if (message === undefined) markError(row, `The field "${field}" contains no valid CEF.`);
      else writeMessage(row, message, CEF_HEADER, prefixes);
    }),
});

/** A header part. A backslash escapes the next character. */
const PART = /((?:[^|\\]|\\.?)*)(\||$)/sy;
/** A key starts after whitespace, where the previous value ends. */
const KEY = /(?<=^|\s)([^\s=\\|]+)=/g;

/** Parses a message, skipping a syslog header before it; `undefined` if there is none. */
function readCef(text: string): Message | undefined {
  const start = text.indexOf('CEF:');
  if (start === -1) return undefined;
  const header: string[] = [];
  PART.lastIndex = start + 4;
  while (header.length < CEF_HEADER.length) {
    const [, part = '', separator] = PART.exec(text) ?? [];
    // Without an extension, the message may end after the severity.
    const isLast = header.length === CEF_HEADER.length - 1;
    if (separator !== '|' && !(isLast && part !== '')) return undefined;
    header.push(part.replace(/\\(.)/gs, '$1'));
  }
  return { header, members: readExtension(text.slice(PART.lastIndex)) };
}

function readExtension(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const keys = [...text.matchAll(KEY)];
  for (const [index, match] of keys.entries()) {
    const [whole, key = ''] = match;
    const end = keys[index + 1]?.index ?? text.length;
    const value = text.slice(match.index + whole.length, end).trimEnd();
    pairs.set(
      key,
      value.replace(/\\(.)/gs, (_, mark: string) => ({ n: '\n', r: '\r' })[mark] ?? mark),
    );
  }
  return pairs;
}

const LEEF_HEADER = ['version', 'device.vendor', 'device.product', 'device.version', 'event_id'] as const;

/**
 * Extracts fields from a message in the Log Event Extended Format, including its time: `leef.device.vendor`,
 * `leef.ext.src`.
 */
export const parseLEEF = define.transform({
  name: 'parseLEEF',
  uncertain: [
    'The default label prefix is "leef.label." with a trailing dot.',
    'The time comes from the `devTime` attribute, in the format given by `devTimeFormat` or in a common format.',
    'Invalid LEEF sets `@error` and leaves the other fields unchanged.',
  ],
  parameters: {
    field: rawstring,
    ...prefixParameters('leef'),
    delimiter: optional(text),
    parsetime: withDefault(flag, true),
    timezone: withDefault(timeZone, timeZoneOrUtc('Z')),
  },
  compile({ field, delimiter, parsetime, timezone, ...prefixes }, call) {
    if (delimiter === '') call.fail('parseLEEF() needs a delimiter of at least one character', 'delimiter');
    const zone = { name: timezone.name === 'UTC' ? 'Z' : timezone.name, zone: timezone };
    return fieldStep(field, [], (source, row, run) => {
      const message = readLeef(source, delimiter);
      if (message === undefined) {
        markError(row, `The field "${field}" contains no valid LEEF.`);
        return;
      }
      writeMessage(row, message, LEEF_HEADER, prefixes);
      const time = parsetime ? message.members.get('devTime') : undefined;
      if (time === undefined) return;
      const instant = readTime(time, message.members.get('devTimeFormat'), zone, run);
      writeTimestamp(row, instant, OUTPUT, 'The attribute devTime contains no valid timestamp.');
    });
  },
});

const OUTPUT = {
  as: '@timestamp',
  timezone: undefined,
  timezoneAs: '@timezone',
  timezoneField: undefined,
  addErrors: true,
} as const;

/** A time zone in the text overrides that of the call. */
function readTime(
  time: string,
  format: string | undefined,
  zone: WrittenZone,
  clock: Clock,
): Instant | undefined {
  if (format === undefined) {
    const found = findTimestampIn(time, { zone: undefined, clock });
    return found?.zone.name === 'Z' ? findTimestampIn(time, { zone, clock }) : found;
  }
  const written: WrittenTime = {};
  const read = tryOr(undefined, () => compileTimestampPattern(format, { ignoreCase: true }));
  if (read?.(time, 0, written) !== time.length) return undefined;
  return instantOf(written, written.zone ?? zone, clock);
}

/**
 * Parses a message, skipping a syslog header before it; `undefined` if there is none.
 *
 * @param delimiter between attributes. Default: the one in a version 2 header, otherwise a tab.
 */
function readLeef(text: string, delimiter: string | undefined): Message | undefined {
  const start = text.indexOf('LEEF:');
  if (start === -1) return undefined;
  const parts: string[] = [];
  let position = start + 5;
  const next = (): boolean => {
    const end = text.indexOf('|', position);
    if (end === -1) return false;
    parts.push(text.slice(position, end));
    position = end + 1;
    return true;
  };
  while (parts.length < LEEF_HEADER.length) if (!next()) return undefined;
  const header = parts.slice();
  const own = header[0]?.startsWith('2') && next() ? readDelimiter(parts[LEEF_HEADER.length]!) : undefined;
  return { header, members: readAttributes(text.slice(position), delimiter ?? own ?? '\t') };
}

/** A character, or its code as `x09` or `0x09`. */
function readDelimiter(written: string): string | undefined {
  const [, code] = /^(?:0?x)([0-9a-f]{2,4})$/i.exec(written) ?? [];
  return code === undefined ? written || undefined : String.fromCharCode(Number.parseInt(code, 16));
}

function readAttributes(text: string, delimiter: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const pair of text.split(delimiter)) {
    const separator = pair.indexOf('=');
    if (separator > 0) attributes.set(pair.slice(0, separator).trim(), pair.slice(separator + 1).trim());
  }
  return attributes;
}
