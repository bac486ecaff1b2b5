import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { logscaleApp } from '../app.ts';
import { ngsiemApp } from '../ngsiem/ngsiem-app.ts';
import type { ResolvedNgsiemOptions } from '../ngsiem/ngsiem-options.ts';
import type { ServerHost } from '../server-context.ts';
import { closeCore, openCore } from '../server-core.ts';
import { identityRoute } from './identity-route.ts';
import { pageRoutes } from './page-routes.ts';
import { type RequestHandlerOptions, requestHandler } from './request-handler.ts';
import { SocketConnection } from './socket-connection.ts';

export interface HttpApiOptions extends Pick<RequestHandlerOptions, 'faults' | 'requests'> {
  readonly access:
    | { readonly userToken: string }
    | { readonly clientId: string; readonly clientSecret: string };
  readonly secret: string;
}

export type HttpApi = ReturnType<typeof openHttpApi>;

/** What responds to requests, which a server can load at the first one. */
export function openHttpApi(host: ServerHost, { access, secret, ...log }: HttpApiOptions) {
  const core = openCore(host);
  const isLogscale = 'userToken' in access;
  const app = isLogscale
    ? logscaleApp(core, access.userToken)
    : ngsiemApp(core, host.options.ngsiem as ResolvedNgsiemOptions, access);
  if (isLogscale) pageRoutes(app);
  identityRoute(app, secret);
  const handle = requestHandler({
    ...log,
    app: (request, environment) => app.fetch(request, environment),
    closing: host.closing,
  });
  const respond = getRequestListener(
    (request, { incoming, outgoing }) =>
      handle(request, new SocketConnection(incoming as IncomingMessage, outgoing as ServerResponse)),
    // The program that runs the server owns the globals of the process.
    { overrideGlobalObjects: false, hostname: host.options.host },
  );
  return { core, handle, respond, close: () => closeCore(core) };
}
