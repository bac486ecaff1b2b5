import { Hono } from 'hono';
import { withFallbackResponses } from './fallback-responses.ts';
import { tokenAuthentication } from './http/authentication.ts';
import { checkHost } from './http/check-host.ts';
import { Users } from './registries/users.ts';
import { recordRejections } from './rejections/record-rejections.ts';
import { elasticBulkRoutes } from './routes/elastic-bulk-routes.ts';
import { filesRoutes } from './routes/files-routes.ts';
import { graphqlRoutes } from './routes/graphql-routes.ts';
import { hecRoutes } from './routes/hec-routes.ts';
import { ingestRoutes } from './routes/ingest-routes.ts';
import { otlpRoutes } from './routes/otlp-routes.ts';
import { packagesRoutes } from './routes/packages-routes.ts';
import { queryJobsRoutes } from './routes/query-jobs-routes.ts';
import { queryRoutes } from './routes/query-routes.ts';
import { statusRoutes } from './routes/status-routes.ts';
import { temporaryRepositoriesRoutes } from './routes/temporary-repositories-routes.ts';
import { usersRoutes } from './routes/users-routes.ts';
import { wholeResultRoutes } from './routes/whole-results-routes.ts';
import type { LogscaleContext, ServerCore } from './server-context.ts';

/** The service's built-in view of all events. */
const SEARCH_ALL_VIEW = 'humio-search-all';
/** The service's audit log, which is empty here. */
const AUDIT_VIEW = 'humio-audit';

/** The HTTP API of LogScale. */
export function logscaleApp(core: ServerCore, userToken: string): Hono {
  const { repositories, searchDomains } = core;
  searchDomains.addBuiltInView(SEARCH_ALL_VIEW, () =>
    repositories.list().map(({ name }) => ({ repositoryName: name, filter: '*' })),
  );
  searchDomains.addBuiltInView(AUDIT_VIEW, () => []);
  const authentication = tokenAuthentication(userToken, repositories);
  const context: LogscaleContext = { ...core, authentication, users: new Users(core) };
  const app = new Hono();
  app.use(recordRejections(context), checkHost(context));
  temporaryRepositoriesRoutes(app, context);
  ingestRoutes(app, context);
  hecRoutes(app, context);
  elasticBulkRoutes(app, context);
  otlpRoutes(app, context);
  queryRoutes(app, context);
  queryJobsRoutes(app, context);
  wholeResultRoutes(app, context);
  filesRoutes(app, context);
  usersRoutes(app, context);
  packagesRoutes(app, context);
  statusRoutes(app, context);
  graphqlRoutes(app, context);
  return withFallbackResponses(app, context, 'This local server has:');
}
