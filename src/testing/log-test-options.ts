import { LogOptionsException } from '../core/errors.ts';
import {
  refuseUnknownOptions,
  rejectPair,
  requireText,
  requireToken,
  wrongKind,
} from '../core/option-checks.ts';
import { type RedactOptions, resolveRedactOptions } from '../ingest/options.ts';
import type { LocalServer, LocalServerOptions } from '../server/index.ts';

/** A running server: a local server in this or another process, or the service itself. */
export interface SharedServer {
  readonly url: string;
  /** API token of a user who can create and delete repositories. */
  readonly userToken: string;
}

/** Options of `startLogTest`. */
export interface LogTestOptions {
  /**
   * Existing server to use, on which the test creates its own repository. By default, each test starts a new server
   * with its own clock and faults, in about a millisecond.
   */
  server?: LocalServer | SharedServer | undefined;
  /** Options for the test's own server. Can't be combined with `server`. @default {} */
  serverOptions?: LocalServerOptions | undefined;
  /**
   * Redacts the records of captured loggers, like the option of the transports. Failure messages and reports always mask
   * passwords, tokens and card numbers, and what this option names. @default false, also if LOGSCALE_REDACT is set
   */
  redact?: boolean | RedactOptions | undefined;
}

const OWNER = 'startLogTest';

export const LOG_TEST_OPTIONS: readonly string[] = ['server', 'serverOptions', 'redact'];

/** @throws LogOptionsException */
export function resolveLogTestOptions(options: LogTestOptions): LogTestOptions {
  if (['url', 'userToken'].some((name) => name in Object(options)))
    throw new LogOptionsException(`${OWNER}: pass the server as "server: { url, userToken }".`);
  refuseUnknownOptions(OWNER, options, LOG_TEST_OPTIONS);
  const { server, redact } = options;
  resolveRedactOptions(OWNER, redact);
  if (server === undefined) return options;
  rejectPair(OWNER, options, 'server', 'serverOptions');
  if (typeof server !== 'object' || server === null)
    throw wrongKind(OWNER, '"server"', 'the result of startLocalServer() or { url, userToken }', server);
  requireText(OWNER, 'server.url', server.url);
  requireToken(OWNER, 'server.userToken', server.userToken);
  return options;
}
