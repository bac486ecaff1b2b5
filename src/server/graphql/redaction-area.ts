import { parseTime } from '../../core/epoch.ts';
import { invalid } from '../registries/resource-error.ts';
import { resourceId } from '../registries/resource-id.ts';
import { type GraphqlArea, type GraphqlContext, type Input, requireRepository } from './area.ts';

interface RedactEventsInput {
  readonly repositoryName: string;
  readonly start: string;
  readonly end: string;
  readonly query: string;
}

/** Deletes events. */
export const redactionArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    input RedactEventsInputType {
      repositoryName: String! start: DateTime! end: DateTime! query: String! userMessage: String
    }

    extend type Mutation {
      "Deletes all events of a repository: the interval must contain all of them. Returns an ID."
      redactEvents(input: RedactEventsInputType!): String!
    }
  `,
  operations: { redactEvents },
};

function redactEvents({ input }: Input<RedactEventsInput>, context: GraphqlContext): string {
  const { store } = requireRepository(context, input.repositoryName);
  const [from, to] = [timeOf('start', input.start), timeOf('end', input.end)];
  const inside = store.snapshot(from, to).reduce((sum, range) => sum + range.end - range.start, 0);
  if (!['', '*'].includes(input.query.trim()) || inside < store.count) {
    throw invalid(
      'The local server only deletes all events of a repository: use the query "*" and an interval that contains all of them.',
      'query',
    );
  }
  store.clear();
  return resourceId();
}

function timeOf(name: string, text: string): number {
  const time = parseTime(text);
  if (Number.isFinite(time)) return time;
  throw invalid(`"${name}" must be an ISO 8601 time.`, name);
}
