import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from '../environment.ts';
import type { ServerHost } from '../server-context.ts';
import type { HttpApi, HttpApiOptions } from './http-api.ts';

export type LazyHttpApi = ReturnType<typeof lazyHttpApi>;

/** An HTTP API that is loaded at the first request, unless `load` is called before. It is `undefined` until then. */
export function lazyHttpApi(host: ServerHost, options: HttpApiOptions) {
  const api = {
    opened: undefined as HttpApi | undefined,
    async load(): Promise<HttpApi> {
      if (api.opened !== undefined) return api.opened;
      const { openHttpApi } = await import('./http-api.ts');
      api.opened ??= openHttpApi(host, options);
      return api.opened;
    },
    async handle(request: Request, connection?: Connection): Promise<Response> {
      return (await api.load()).handle(request, connection);
    },
    async respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
      const { respond } = await api.load();
      if (!outgoing.destroyed) await respond(incoming, outgoing);
    },
  };
  return api;
}
