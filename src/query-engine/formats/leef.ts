/** A message in the Log Event Extended Format. */
export interface LeefMessage {
  /** Version, vendor, product, product version, event id. */
  readonly header: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
}

const HEADERS = 5;

/**
 * Reads a message, with whatever a syslog server wrote before it; `undefined` when there is none.
 *
 * @param delimiter between attributes; without it, what a message of version 2 says, else a tab.
 */
export function readLeef(text: string, delimiter: string | undefined): LeefMessage | undefined {
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
  while (parts.length < HEADERS) if (!next()) return undefined;
  const header = parts.slice();
  const own = header[0]?.startsWith('2') && next() ? readDelimiter(parts[HEADERS]!) : undefined;
  return { header, attributes: readAttributes(text.slice(position), delimiter ?? own ?? '\t') };
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
