import { Hono } from 'hono';
import { withFallbackResponses } from '../fallback-responses.ts';
import { TokenAuthentication } from '../http/authentication.ts';
import { checkHost } from '../http/check-host.ts';
import { randomHex, resourceId } from '../registries/resource-id.ts';
import { recordRejections } from '../rejections/record-rejections.ts';
import { defaultIngestToken, openRepository } from '../repositories.ts';
import { fileTransferRoutes } from '../routes/files-routes.ts';
import { repositoryJobsRoutes } from '../routes/query-jobs-routes.ts';
import { savedTexts } from '../saved-value.ts';
import type { ServerContext, ServerCore, Service } from '../server-context.ts';
import type { StateFolder } from '../state-folder.ts';
import { AccessTokens } from './access-tokens.ts';
import { connectorRoutes } from './connector-routes.ts';
import { authorized, gatewayHeaders, hasAccessToken, rateLimited, requireAccessToken } from './gateway.ts';
import type { ResolvedNgsiemOptions } from './ngsiem-options.ts';
import { type ApiClient, oauth2Routes } from './oauth2-routes.ts';
import { NGSIEM_JOBS } from './search-jobs.ts';

const VIEWS = ['search-all', 'investigate_view'];
/** Token requests per minute. */
const TOKEN_RATE_LIMIT = 300;
const UNKNOWN_PATH =
  'This local server emulates Next-Gen SIEM, which has no GraphQL, no streaming queries and no LogScale ingest. It has:';

/** What clients of a Next-Gen SIEM server need. */
export interface NgsiemAccess {
  /** Name of the view that contains all events. */
  readonly repository: string;
  /** ID of the API client. */
  readonly clientId: string;
  /** Secret of the API client. */
  readonly clientSecret: string;
  /** {@link clientId} and {@link clientSecret}, for the option `auth` of `LogClient`. */
  readonly auth: { readonly clientId: string; readonly clientSecret: string };
  /** Address of the HEC connector. */
  readonly hecUrl: string;
  /** API key of the HEC connector. */
  readonly hecToken: string;
}

/** Emulates Next-Gen SIEM. */
export function ngsiemService(core: ServerCore, options: ResolvedNgsiemOptions): Service<NgsiemAccess> {
  const { clock, repositories, searchDomains } = core;
  const repository = openRepository(repositories, core.options.repository, core.options.retentionDays);
  const connection = { repositoryName: repository.name, filter: '*' };
  for (const name of VIEWS) searchDomains.views.addBuiltIn(name, () => [connection]);
  const client = apiClient(core.folder, options);
  const { clientId, clientSecret } = client;
  const hecToken = defaultIngestToken(repository, options.hecToken);
  const tokens = new AccessTokens({ clock, clientId, lifetimeMs: options.tokenLifetimeMs });
  const connector = new TokenAuthentication(undefined, repositories);
  const context: ServerContext = {
    ...core,
    authentication: {
      principal: (request) => connector.principal(request),
      requireUser: (request) => requireAccessToken(request, tokens),
      tokenName: (request) =>
        hasAccessToken(request, tokens) ? 'access token' : connector.tokenName(request),
    },
  };
  return {
    app: ngsiemApp(context, options, client, tokens),
    access: (url) => ({
      repository: VIEWS[0]!,
      clientId,
      clientSecret,
      auth: { clientId, clientSecret },
      hecUrl: `${url}/services/collector`,
      hecToken,
    }),
  };
}

function ngsiemApp(
  context: ServerContext,
  options: ResolvedNgsiemOptions,
  client: ApiClient,
  tokens: AccessTokens,
): Hono {
  const { clock } = context;
  const app = new Hono();
  app.use(recordRejections(context), checkHost(context));
  app.use(gatewayHeaders(options));
  app.use('/oauth2/*', rateLimited(TOKEN_RATE_LIMIT, clock));
  app.use('/humio/*', authorized(tokens, options.scopes), rateLimited(options.rateLimit, clock));
  oauth2Routes(app, client, tokens);
  connectorRoutes(app, context);
  const humio = app.basePath('/humio');
  repositoryJobsRoutes(humio, context, NGSIEM_JOBS);
  fileTransferRoutes(humio, context);
  return withFallbackResponses(app, context, UNKNOWN_PATH);
}

/** The credentials of the options, of an earlier run, or random ones in the format of the service. */
function apiClient(folder: StateFolder, options: ResolvedNgsiemOptions): ApiClient {
  const saved = savedTexts(folder, 'api-client.json', { clientId: '', clientSecret: '' });
  const before = saved.get();
  const clientId = options.clientId ?? (before.clientId || randomHex(16));
  const clientSecret = options.clientSecret ?? (before.clientSecret || resourceId(40));
  if (clientId !== before.clientId || clientSecret !== before.clientSecret)
    saved.set({ clientId, clientSecret });
  return { clientId, clientSecret, memberCid: options.memberCid };
}
