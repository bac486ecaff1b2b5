import { LogOptionsException } from '../errors.ts';
import { describe, refuseUnknownOptions, requireText, requireToken } from '../internal/option-checks.ts';
import type { LocalServer, LocalServerOptions } from '../local-server/index.ts';

/** A server that is there already: of this package, in this process or another one, or the service itself. */
export interface SharedServer {
  readonly url: string;
  /** The token of a user who may create and delete repositories. */
  readonly userToken: string;
}

/** Options of `startLogTest`. */
export interface LogTestOptions {
  /**
   * The server to use, for a suite that shares one; the test then gets a repository of its own on it. By default each
   * test has a server of its own, which takes about a millisecond and gives it a clock and faults of its own, too.
   */
  server?: LocalServer | SharedServer | undefined;
  /** Options of the test's own server. Exclude `server`. @default {} */
  serverOptions?: LocalServerOptions | undefined;
}

const OWNER = 'startLogTest';

/** @throws LogOptionsException */
export function resolveLogTestOptions(options: LogTestOptions): LogTestOptions {
  refuseUnknownOptions(OWNER, options, ['server', 'serverOptions']);
  const { server, serverOptions } = options;
  if (server === undefined) return options;
  if (serverOptions !== undefined) {
    throw new LogOptionsException(
      `${OWNER}: "server" and "serverOptions" exclude each other; pass one of them.`,
    );
  }
  if (typeof server !== 'object' || server === null) {
    throw new LogOptionsException(
      `${OWNER}: "server" must be what startLocalServer() returns, or { url, userToken }, but is ${describe(server)}.`,
    );
  }
  requireText(OWNER, 'server.url', server.url);
  requireToken(OWNER, 'server.userToken', server.userToken);
  return options;
}
