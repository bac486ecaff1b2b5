import type { Hono } from 'hono';
import { LOCAL_OPERATIONS, PAGE_OPERATIONS } from '../../core/wire/page-operations.ts';
import { requireSearchDomain } from '../graphql/area.ts';
import { type RunInput, testParser } from '../graphql/parser-tests-area.ts';
import { type RedactEventsInput, redactEvents } from '../graphql/redaction-area.ts';
import { invalid, ResourceError } from '../registries/resource-error.ts';
import type { NewSavedQuery } from '../registries/saved-queries.ts';
import { Repository } from '../repository.ts';
import { readJsonObject } from '../routes/request.ts';
import type { ServerContext } from '../server-context.ts';

interface Variables {
  readonly name: string;
  readonly input: NewSavedQuery &
    RunInput &
    RedactEventsInput & {
      readonly id: string;
      readonly viewName: string;
    };
}

type Operation = (context: ServerContext, variables: Variables) => unknown;

/** The operations of the web page by their text. An interpreter of GraphQL would double the size of the server. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  [PAGE_OPERATIONS.searchDomains]: ({ searchDomains }) => ({
    searchDomains: searchDomains.list().map((domain) => ({
      __typename: domain instanceof Repository ? 'Repository' : 'View',
      name: domain.name,
    })),
  }),
  [LOCAL_OPERATIONS.repositorySize]: ({ repositories }, { name }) => ({
    repository: { uncompressedByteSize: repositories.get(name)?.store.bytes },
  }),
  [LOCAL_OPERATIONS.deleteEvents]: async (context, { input }) => ({
    redactEvents: await redactEvents(input, context),
  }),
  [LOCAL_OPERATIONS.testParser]: (context, { input }) => ({ testParserV2: testParser(input, context) }),
  [PAGE_OPERATIONS.savedQueries]: (context, { name }) => ({
    searchDomain: {
      savedQueries: requireSearchDomain(context, name)
        .savedQueries.list()
        .map(({ queryString, ...saved }) => ({ options: {}, ...saved, query: { queryString } })),
    },
  }),
  [PAGE_OPERATIONS.createSavedQuery]: (context, { input: { viewName, options, ...query } }) => {
    const created = { ...query, options: JSON.parse(options as string) };
    return {
      createSavedQuery: { savedQuery: requireSearchDomain(context, viewName).savedQueries.create(created) },
    };
  },
  [PAGE_OPERATIONS.deleteSavedQuery]: (context, { input: { viewName, id } }) => {
    requireSearchDomain(context, viewName).savedQueries.remove(id);
    return { deleteSavedQuery: { result: true } };
  },
};

/** `POST /graphql` with the operations of the web page only. */
export function pageGraphqlRoute(app: Hono, context: ServerContext): void {
  app.post('/graphql', async (c) => {
    const { query, variables } = await readJsonObject(c, context.options.maxRequestBytes);
    const operation = OPERATIONS[String(query)];
    try {
      if (operation === undefined) throw invalid('This server only has the operations of its page.');
      return c.json({ data: await operation(context, variables as Variables) });
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      return c.json({ data: null, errors: [{ message: error.message }] });
    }
  });
}
