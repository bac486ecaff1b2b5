import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from '../environment.ts';
import type { ServerHost } from '../server-context.ts';
import type { HttpApi, HttpApiOptions } from './http-api.ts';

/** An HTTP API that is loaded at the first request, unless {@link load} is called before. */
export class LazyHttpApi implements Pick<HttpApi, 'handle' | 'respond'> {
  readonly #open: () => Promise<HttpApi>;
  #opening: Promise<HttpApi> | undefined;
  /** `undefined` until it is loaded. */
  opened: HttpApi | undefined;

  constructor(host: ServerHost, options: HttpApiOptions) {
    this.#open = async () => {
      const { openHttpApi } = await import('./http-api.ts');
      this.opened = openHttpApi(host, options);
      return this.opened;
    };
  }

  load(): Promise<HttpApi> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  readonly handle: RequestHandler = async (request, connection) =>
    (await this.load()).handle(request, connection);

  readonly respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { respond } = await this.load();
    if (!outgoing.destroyed) await respond(incoming, outgoing);
  };
}
