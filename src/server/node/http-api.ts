import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { logscaleApp } from '../app.ts';
import type { RequestHandler } from '../environment.ts';
import { ngsiemApp } from '../ngsiem/ngsiem-app.ts';
import type { ResolvedNgsiemOptions } from '../ngsiem/ngsiem-options.ts';
import type { ServerCore, ServerHost } from '../server-context.ts';
import { closeCore, openCore } from '../server-core.ts';
import { identityRoute } from './identity-route.ts';
import { pageRoutes } from './page-routes.ts';
import { type RequestHandlerOptions, requestHandler } from './request-handler.ts';
import { SocketConnection } from './socket-connection.ts';

/** For people who request `/` with another program than a browser. */
const GREETING = `This is the local server of logclient: the HTTP API of Falcon LogScale (formerly Humio) on one computer.

REST     /api/v1/              GET /api/v1/status returns the health
GraphQL  POST /graphql
HEC      POST /services/collector
`;

export interface HttpApiOptions extends Pick<RequestHandlerOptions, 'faults' | 'requests'> {
  readonly access:
    | { readonly userToken: string }
    | { readonly clientId: string; readonly clientSecret: string };
  readonly secret: string;
}

/** What responds to requests, which a server can load at the first one. */
export interface HttpApi {
  readonly core: ServerCore;
  readonly handle: RequestHandler;
  readonly respond: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  close(): void;
}

export function openHttpApi(host: ServerHost, { access, secret, ...log }: HttpApiOptions): HttpApi {
  const core = openCore(host);
  const isLogscale = 'userToken' in access;
  const app = isLogscale
    ? logscaleApp(core, access.userToken)
    : ngsiemApp(core, host.options.ngsiem as ResolvedNgsiemOptions, access);
  if (isLogscale) pageRoutes(app, GREETING);
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
