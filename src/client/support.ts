import { LogException } from '../core/errors.ts';

const HEC = "an Ingester or a transport with format: 'hec' and the API key of a HEC connector";
const UPLOAD = 'uploadFile() with the complete content';

/** What replaces a method of `LogClient` on Next-Gen SIEM. The Falcon console replaces all others. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  ingestJsonData: HEC,
  ingestMessages: HEC,
  validateQuery: 'parse() of logclient/query-language',
  getStatus: 'query() with a short time range',
  createFile: UPLOAD,
  addFileContents: UPLOAD,
  removeFileContents: UPLOAD,
  getFileContent: 'getFile()',
};

/** The exception for a method that Next-Gen SIEM has no API for. */
export function notSupported(method: string): LogException {
  return new LogException(
    `${method}() is not available on Next-Gen SIEM. Use ${ALTERNATIVES[method] ?? 'the Falcon console'} instead.`,
    'LOG_NOT_SUPPORTED',
  );
}
