import { Hono } from 'hono';
import { withFallbackResponses } from '../fallback-responses.ts';
import { tokenAuthentication } from '../http/authentication.ts';
import { checkHost } from '../http/check-host.ts';
import { recordRejections } from '../rejections/record-rejections.ts';
import { fileTransferRoutes } from '../routes/files-routes.ts';
import { jobsRoutes } from '../routes/query-jobs-routes.ts';
import type { ServerContext, ServerCore } from '../server-context.ts';
import { accessTokens } from './access-tokens.ts';
import { connectorRoutes } from './connector-routes.ts';
import { authorized, gatewayHeaders, hasAccessToken, rateLimited, requireAccessToken } from './gateway.ts';
import { ALL_VIEW, type NgsiemAccess } from './ngsiem-access.ts';
import type { ResolvedNgsiemOptions } from './ngsiem-options.ts';
import { oauth2Routes } from './oauth2-routes.ts';
import { NGSIEM_JOBS } from './search-jobs.ts';

const VIEWS = [ALL_VIEW, 'investigate_view'];
/** Token requests per minute. */
const TOKEN_RATE_LIMIT = 300;
const UNKNOWN_PATH =
  'This local server emulates Next-Gen SIEM, which has no GraphQL, no streaming queries and no LogScale ingest. It has:';

/** The HTTP API of Next-Gen SIEM. */
export function ngsiemApp(
  core: ServerCore,
  options: ResolvedNgsiemOptions,
  { clientId, clientSecret }: Pick<NgsiemAccess, 'clientId' | 'clientSecret'>,
): Hono {
  const { clock, repositories, searchDomains } = core;
  const connection = { repositoryName: core.options.repository, filter: '*' };
  for (const name of VIEWS) searchDomains.addBuiltInView(name, () => [connection]);
  const tokens = accessTokens(clock, clientId, options.tokenLifetimeMs);
  const connector = tokenAuthentication(undefined, repositories);
  const context: ServerContext = {
    ...core,
    authentication: {
      principal: connector.principal,
      requireUser: (request) => requireAccessToken(request, tokens),
      tokenName: (request) =>
        hasAccessToken(request, tokens) ? 'access token' : connector.tokenName(request),
    },
  };
  const app = new Hono();
  app.use(recordRejections(context), checkHost(context));
  app.use(gatewayHeaders(options));
  app.use('/oauth2/*', rateLimited(TOKEN_RATE_LIMIT, clock));
  app.use('/humio/*', authorized(tokens, options.scopes), rateLimited(options.rateLimit, clock));
  oauth2Routes(app, { clientId, clientSecret, memberCid: options.memberCid }, tokens);
  connectorRoutes(app, context);
  const humio = app.basePath('/humio');
  jobsRoutes(humio, context, NGSIEM_JOBS);
  fileTransferRoutes(humio, context);
  return withFallbackResponses(app, context, UNKNOWN_PATH);
}
