import { readFileSync } from 'node:fs';
import { LogOptionsException } from '../../../core/errors.ts';

export interface ReferenceFile {
  /** The option, such as `referenceData.asn`. */
  readonly option: string;
  readonly path: string;
  readonly content: Buffer;
}

/** @throws LogOptionsException if the file can't be read. */
export function readReferenceFile(option: string, path: string): ReferenceFile {
  try {
    return { option, path, content: readFileSync(path) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file' : message;
    throw new LogOptionsException(`startLocalServer: "${option}" can't be used: ${path}: ${reason}.`, {
      cause: error,
    });
  }
}

/** @throws LogOptionsException always. */
export function refuseFile({ option, path }: ReferenceFile, problem: string, cause?: unknown): never {
  throw new LogOptionsException(`startLocalServer: "${option}" can't be used: ${path} ${problem}.`, {
    cause,
  });
}
