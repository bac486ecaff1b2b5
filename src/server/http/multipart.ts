import { tryOr } from '../../core/try-or.ts';

export interface MultipartFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const LINE_BREAK = '\r\n';
const HEADERS_END = '\r\n\r\n';

/** The boundary of a `multipart/form-data` content type; `undefined` for other types, or without a boundary. */
export function multipartBoundary(contentType: string): string | undefined {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
  return parameter(contentType, 'boundary');
}

/**
 * The file in the part `partName`. Node's form parser does not support `filename*`, which Python's `requests` sends for
 * names that are not ASCII.
 *
 * @returns `undefined` if there is no such part, it has no file name, or the body is incomplete.
 */
export function multipartFile(body: Buffer, boundary: string, partName: string): MultipartFile | undefined {
  const delimiter = `--${boundary}`;
  let at = body.subarray(0, delimiter.length).equals(Buffer.from(delimiter))
    ? 0
    : nextDelimiter(body, delimiter, 0);
  while (at !== -1) {
    const start = at + delimiter.length;
    const end = nextDelimiter(body, delimiter, start) - LINE_BREAK.length;
    const headersEnd = body.indexOf(HEADERS_END, start);
    // No part follows the last delimiter, or the body is incomplete.
    if (end < 0 || headersEnd === -1 || headersEnd > end) return undefined;
    const name = fileName(body.toString('utf8', start, headersEnd), partName);
    if (name !== undefined) return { name, content: body.subarray(headersEnd + HEADERS_END.length, end) };
    at = end + LINE_BREAK.length;
  }
  return undefined;
}

/** Delimiters start at the beginning of a line; -1 if there is no other. */
function nextDelimiter(body: Buffer, delimiter: string, from: number): number {
  const lineBreak = body.indexOf(LINE_BREAK + delimiter, from);
  return lineBreak === -1 ? -1 : lineBreak + LINE_BREAK.length;
}

function fileName(headers: string, partName: string): string | undefined {
  const disposition = headers
    .split(LINE_BREAK)
    .find((line) => /^content-disposition:\s*form-data\s*;/i.test(line));
  if (disposition === undefined || parameter(disposition, 'name') !== partName) return undefined;
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameter(disposition, 'filename\\*') ?? '')?.[1];
  const decoded = tryOr(undefined, () => extended && decodeURIComponent(extended));
  return decoded ?? parameter(disposition, 'filename')?.replace(/%22/g, '"');
}

function parameter(header: string, name: string): string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\[^])*)"|([^\\s;"]+))`, 'i');
  const [, quoted, bare] = pattern.exec(header) ?? [];
  return quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
}
