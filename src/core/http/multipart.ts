import { isUint8Array } from '../builtin-types.ts';
import { concatBytes, randomHex, utf8Bytes } from '../bytes.ts';
import { isRecord, requireText, wrongKind } from '../option-checks.ts';

/** A file as one part of a `multipart/form-data` body. */
export interface FileUpload {
  /** Name of the part. @default 'file' */
  field?: string | undefined;
  /** File name. */
  name: string;
  /** Content. Strings are sent as UTF-8. */
  content: string | Uint8Array;
}

/** @throws LogOptionsException */
export function requireUpload(owner: string, what: string, file: unknown, other = ''): FileUpload {
  if (!isRecord(file)) throw wrongKind(owner, what, `${other}{ name, content }`, file);
  const { field, name, content } = file as Partial<FileUpload>;
  if (typeof content !== 'string' && !isUint8Array(content)) {
    throw wrongKind(owner, '"content"', 'a string or a Uint8Array', content);
  }
  return { field, name: requireText(owner, 'name', name), content };
}

/** Builds the body without `FormData`, whose copies are not compatible between HTTP libraries. */
export function multipartBody(files: readonly FileUpload[]): { content: Uint8Array; contentType: string } {
  const boundary = `logclient-${randomHex()}`;
  const parts: Uint8Array[] = [];
  for (const { field = 'file', name, content } of files) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(field)}"; filename="${escapeName(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const body = typeof content === 'string' ? utf8Bytes(content) : content;
    parts.push(utf8Bytes(head), body, utf8Bytes('\r\n'));
  }
  parts.push(utf8Bytes(`--${boundary}--\r\n`));
  return { content: concatBytes(parts), contentType: `multipart/form-data; boundary=${boundary}` };
}

/** The escapes of the HTML standard for form data; everything else stays UTF-8. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
