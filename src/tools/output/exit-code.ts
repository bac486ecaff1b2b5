/** Exit codes, documented by `logclient help exit-codes` and docs/commands.md. */
export const EXIT_OK = 0;
/** The command failed, or a `--fail-on-…` condition was met. */
export const EXIT_FAILURE = 1;
/** The command line is invalid; nothing was done. */
export const EXIT_USAGE = 2;
/** The name of what to create, or its new name, is in use. */
export const EXIT_EXISTS = 3;
/** The token is missing, rejected or lacks permission. */
export const EXIT_AUTHENTICATION = 4;
/** As of a shell that can't run a command. */
export const EXIT_NOT_EXECUTABLE = 126;
export const EXIT_NOT_FOUND = 127;
/** Stopped early by a signal. Shell convention: 128 plus the signal number. */
export const EXIT_SIGNALED = 128;
