/** What the command line ends with. `logclient help exit-codes` and docs/cli.md tell users. */
export const EXIT_OK = 0;
/** The command failed, or a `--fail-on-…` flag found what it looks for. */
export const EXIT_FAILURE = 1;
/** The command line itself is wrong; nothing was done. */
export const EXIT_USAGE = 2;
/** There is no token, or the service does not accept it. */
export const EXIT_AUTHENTICATION = 4;
/** Stopped with Ctrl-C before the end, as shells have it: 128 and the number of the signal. */
export const EXIT_INTERRUPTED = 130;
export const EXIT_TERMINATED = 143;
