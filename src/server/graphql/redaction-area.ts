import { parseTime } from '../../core/epoch.ts';
import { QueryLimitError, type Sink } from '../../engine/index.ts';
import { HttpError } from '../http/http-error.ts';
import { domainEvents } from '../queries/domain-events.ts';
import { type Collection, collectEvents } from '../queries/find-patterns.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { invalid } from '../registries/resource-error.ts';
import { resourceId } from '../registries/resource-id.ts';
import type { ServerContext } from '../server-context.ts';
import { type GraphqlArea, type Input, requireRepository } from './area.ts';

export interface RedactEventsInput {
  readonly repositoryName: string;
  readonly start: string;
  readonly end: string;
  readonly query: string;
}

/** Deletes events. The service does so later, in a job; here, they are gone before the response. */
export const redactionArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    input RedactEventsInputType {
      repositoryName: String! start: DateTime! end: DateTime! query: String! userMessage: String
    }

    extend type Mutation {
      "Deletes the events that a filter query finds. Returns an ID."
      redactEvents(input: RedactEventsInputType!): String!
    }
  `,
  operations: {
    redactEvents: ({ input }: Input<RedactEventsInput>, context) => redactEvents(input, context),
  },
};

/** @throws ResourceError, QueryLimitError, DiskError; then no event is deleted. */
export async function redactEvents(input: RedactEventsInput, context: ServerContext): Promise<string> {
  const { admission, clock, searchDomains } = context;
  const repository = requireRepository(context, input.repositoryName);
  const interval = { start: timeOf('start', input.start), end: timeOf('end', input.end) };
  const share = admission.open({ isLive: false });
  try {
    const body = { queryString: input.query, ...interval };
    const request = readQueryRequest(body, clock.now(), repositoryLibrary(repository, searchDomains));
    if (request.plan.interval !== undefined)
      throw invalid('Omit setTimeInterval(): "start" and "end" decide.');
    const source = domainEvents(repository, searchDomains, false);
    const ids = await collectEvents({ repository, request, source, share }, clock.now(), foundIds);
    if (ids !== undefined) repository.store.remove(ids);
    return resourceId();
  } catch (error) {
    throw error instanceof HttpError || error instanceof QueryLimitError
      ? invalid(error.message.replaceAll('\n```', ''), 'query')
      : error;
  } finally {
    share.close();
  }
}

function foundIds(): Collection<ReadonlySet<string>> {
  const ids = new Set<string>();
  const sink: Sink = {
    from({ stored }) {
      const column = stored.column('@id');
      return (index) => ids.add(column.at(index) ?? '');
    },
  };
  return { sink, result: () => ids };
}

function timeOf(name: string, text: string): number {
  const time = parseTime(text);
  if (Number.isFinite(time)) return time;
  throw invalid(`"${name}" must be an ISO 8601 time.`, name);
}
