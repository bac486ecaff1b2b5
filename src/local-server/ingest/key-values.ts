import { putField } from './flatten.ts';
import { leadingInstant } from './instant.ts';
import type { ParsedLine } from './parsed-line.ts';

/** `key=value`, where the value is in quotes or ends at whitespace or a comma. */
const PAIR =
  /(?<=^|[\s,;([{])([A-Za-z_@#][\w.@#-]*)=(?:"([^"\\]*(?:\\.[^"\\]*)*)"|'([^'\\]*(?:\\.[^'\\]*)*)'|([^\s,]*))/gs;

export function parseKeyValues(line: string): ParsedLine {
  const fields: Record<string, string> = {};
  if (line.includes('=')) {
    for (const [, key = '', double, single, plain] of line.matchAll(PAIR)) {
      const quoted = double ?? single;
      putField(fields, key, quoted === undefined ? (plain ?? '') : quoted.replace(/\\(["'\\])/g, '$1'));
    }
  }
  return { instant: leadingInstant(line), fields };
}
