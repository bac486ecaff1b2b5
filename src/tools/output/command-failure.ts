import { EXIT_AUTHENTICATION, EXIT_EXISTS, EXIT_FAILURE, EXIT_USAGE } from './exit-code.ts';

/** Ends a command with an exit code, and one sentence on stderr unless it is empty. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_FAILURE) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** Reports that something does not exist, which `--if-missing ok` permits. */
export class MissingFailure extends CommandFailure {}

/** Returns the result of a call. @param list name of the resource @throws MissingFailure if it is undefined or false: the resource does not exist */
export function existing<T>(
  result: T | undefined | false,
  what: string,
  list: string,
  repository?: string,
): T {
  if (result !== undefined && result !== false) return result;
  const place = repository === undefined ? '' : ` in the repository "${repository}"`;
  throw new MissingFailure(`there is no ${what}${place}. "logclient ${list} list" shows what exists.`);
}

/** Reports a mistake in the command line, before anything was done. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_USAGE);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'permission denied',
};

/** Says why a file can't be read. */
export function unreadable(file: string, error: unknown): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return `can't read ${file || '""'}: ${REASONS[code] ?? code}.`;
}

/** Reports a name that is already in use. @param message of the service. */
export function existsFailure(message: string, hint = ''): CommandFailure {
  return new CommandFailure(`${message} ${hint}`.trim(), EXIT_EXISTS);
}

/** Reports a token that is missing, rejected or lacks permission. */
export function authenticationFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_AUTHENTICATION);
}
