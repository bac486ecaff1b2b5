import { Hono } from 'hono';
import { withFallbackResponses } from './fallback-responses.ts';
import { checkHost } from './http/check-host.ts';
import { recordRejections } from './rejections/record-rejections.ts';
import { elasticBulkRoutes } from './routes/elastic-bulk.ts';
import { filesRoutes } from './routes/files.ts';
import { graphqlRoutes } from './routes/graphql.ts';
import { hecRoutes } from './routes/hec.ts';
import { ingestRoutes } from './routes/ingest.ts';
import { otlpRoutes } from './routes/otlp.ts';
import { packagesRoutes } from './routes/packages.ts';
import { queryRoutes } from './routes/query.ts';
import { queryJobsRoutes } from './routes/query-jobs.ts';
import { statusRoutes } from './routes/status.ts';
import { temporaryRepositoriesRoutes } from './routes/temporary-repositories.ts';
import { usersRoutes } from './routes/users.ts';
import { wholeResultRoutes } from './routes/whole-results.ts';
import type { LogscaleContext } from './server-context.ts';

export function logscaleApp(context: LogscaleContext): Hono {
  const app = new Hono();
  app.use(recordRejections(context), checkHost(context));
  const areas = [
    temporaryRepositoriesRoutes,
    ingestRoutes,
    hecRoutes,
    elasticBulkRoutes,
    otlpRoutes,
    queryRoutes,
    queryJobsRoutes,
    wholeResultRoutes,
    filesRoutes,
    usersRoutes,
    packagesRoutes,
    statusRoutes,
    graphqlRoutes,
  ];
  for (const area of areas) area(app, context);
  return withFallbackResponses(app, context, 'This local server has:');
}
