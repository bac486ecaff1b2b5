import { Option } from 'commander';
import { LogException } from '../../../core/errors.ts';
import type { IfExists } from '../../../index.ts';
import { existsFailure } from '../../output/command-failure.ts';
import type { ResourceFlags } from './resource.ts';

export interface IfExistsFlags extends ResourceFlags {
  readonly ifExists?: IfExists;
}

export function ifExistsOption(): Option {
  return new Option(
    '--if-exists <policy>',
    'What to do if the name is in use: fail with exit status 3, keep what exists, or update it with the given flags. Prints the same row as for a new one. Default: error.',
  ).choices(['error', 'keep', 'update'] satisfies IfExists[]);
}

/** Creates something. @throws CommandFailure with its own exit code if the name is in use */
export async function created<T>(creation: Promise<T>, hint: string): Promise<T> {
  try {
    return await creation;
  } catch (error) {
    if (!(error instanceof LogException && error.code === 'LOG_EXISTS')) throw error;
    throw existsFailure(error.message, hint);
  }
}

export const IF_EXISTS_HINT = 'To keep or update it, pass --if-exists keep or --if-exists update.';
