import type { Hono } from 'hono';
import { isJsonObject } from '../../core/json-object.ts';
import type { GraphqlContext } from '../graphql/area.ts';
import type { GraphqlRequest } from '../graphql/execute.ts';
import { onlyUsers } from '../http/authentication.ts';
import { malformed } from '../http/http-error.ts';
import { DomainSettings } from '../registries/domain-settings.ts';
import { Organizations } from '../registries/organizations.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { LogscaleContext } from '../server-context.ts';
import { readJsonObject } from './request.ts';

const GRAPHQL_FIX = 'Correct the GraphQL request, or see which parts of the API the local server supports.';

export function graphqlRoutes(app: Hono, context: LogscaleContext): void {
  const { folder, options } = context;
  const graphqlContext: Omit<GraphqlContext, 'origin'> = {
    ...context,
    organizations: new Organizations({ folder }),
    domainSettings: new DomainSettings({ folder }),
  };
  app.post('/graphql', onlyUsers(context), async (c) => {
    const request = readRequest(await readJsonObject(c, options.maxRequestBytes));
    // Building the schema takes 0.1 s and several megabytes, which a server that only receives logs never needs.
    const { executeGraphql } = await import('../graphql/execute.ts');
    const onError = (message: string, fix = GRAPHQL_FIX): void =>
      recordRejection(context, c, { status: 200, reason: message, fix });
    const { origin } = new URL(c.req.url);
    return c.json(await executeGraphql(request, { ...graphqlContext, origin }, onError));
  });
}

function readRequest({ query, variables, operationName }: Readonly<Record<string, unknown>>): GraphqlRequest {
  if (typeof query !== 'string') throw malformed("Object is missing required member 'query', a string.");
  if (variables != null && !isJsonObject(variables)) {
    throw malformed("Member 'variables' must be an object.");
  }
  if (operationName != null && typeof operationName !== 'string') {
    throw malformed("Member 'operationName' must be a string.");
  }
  // As on the service, an empty name means none: some tools always send one.
  return { query, variables: variables ?? undefined, operationName: operationName || undefined };
}
