import { type FoundServer, RESTART_ADVICE, reportServer, serversAt } from '../../discovery/local-servers.ts';
import { UNPROVEN } from '../../discovery/server-proof.ts';
import { LogConnectionException } from '../../errors.ts';
import { connectionCode } from '../connection-code.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * A discovered local server, or the one that has replaced it at its address. Credentials of a server are sent only over
 * connections on which that server has proven its identity.
 */
export class FollowedServer {
  readonly #headersFor: (server: FoundServer) => Headers;
  #current: FoundServer;

  /** @param headersFor returns the headers with the credentials of a server. */
  constructor(found: FoundServer, headersFor: (server: FoundServer) => Headers) {
    this.#current = found;
    this.#headersFor = headersFor;
    reportServer(found);
  }

  /** The headers with the credentials of the current server. */
  get headers(): Headers {
    return this.#headersFor(this.#current);
  }

  /**
   * Makes a request to the server that proves its identity.
   *
   * @throws LogConnectionException if there is none, and the exception of `attempt`
   */
  async send<Result>(attempt: (server: FoundServer, headers: Headers) => Promise<Result>): Promise<Result> {
    let failure: unknown;
    for (const server of serversAt(this.#current)) {
      try {
        return this.#follow(server, await attempt(server, this.#headersFor(server)));
      } catch (error) {
        failure = this.#unproven(error);
      }
    }
    throw failure;
  }

  /** The same for requests that block. */
  sendSync<Result>(attempt: (server: FoundServer, headers: Headers) => Result): Result {
    let failure: unknown;
    for (const server of serversAt(this.#current)) {
      try {
        return this.#follow(server, attempt(server, this.#headersFor(server)));
      } catch (error) {
        failure = this.#unproven(error);
      }
    }
    throw failure;
  }

  #follow<Result>(server: FoundServer, result: Result): Result {
    this.#current = server;
    return result;
  }

  /** @returns the exception if another server may be at the address. @throws any other exception */
  #unproven(error: unknown): LogConnectionException {
    const code = connectionCode(error);
    const isUnproven = code === UNPROVEN;
    if (!isUnproven && code !== 'ECONNREFUSED') throw error;
    const { url } = this.#current;
    const problem = isUnproven
      ? `The local server that was found at ${url} has stopped, and another program uses its port. ${RESTART_ADVICE}`
      : `The local server that was found at ${url} has stopped. ${RESTART_ADVICE}`;
    const exception = new LogConnectionException(problem, { cause: (error as Error).cause });
    if (isUnproven) return exception;
    throw exception;
  }
}
