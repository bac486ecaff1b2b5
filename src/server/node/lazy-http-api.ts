import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../environment.ts';
import type { ServerHost } from '../server-context.ts';
import type { HttpApi, HttpApiOptions } from './http-api.ts';

/** An HTTP API that is loaded at the first request, unless {@link load} is called before. */
export class LazyHttpApi {
  readonly #host: ServerHost;
  readonly #options: HttpApiOptions;
  /** `undefined` until it is loaded. */
  opened: HttpApi | undefined;

  constructor(host: ServerHost, options: HttpApiOptions) {
    this.#host = host;
    this.#options = options;
  }

  async load(): Promise<HttpApi> {
    if (this.opened !== undefined) return this.opened;
    const { openHttpApi } = await import('./http-api.ts');
    this.opened ??= openHttpApi(this.#host, this.#options);
    return this.opened;
  }

  readonly handle: RequestHandler = async (request, connection) =>
    (await this.load()).handle(request, connection);

  readonly respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { respond } = await this.load();
    if (!outgoing.destroyed) await respond(incoming, outgoing);
  };
}
