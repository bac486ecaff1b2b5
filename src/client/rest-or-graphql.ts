import { LogException, LogHTTPException } from '../core/errors.ts';
import { isMissing } from '../core/http/graphql-call.ts';

/** Statuses of an endpoint that the token may not use, or that the service has removed. */
const WITHHELD = [403, 404, 405, 410];

/**
 * Calls the REST API, and GraphQL if REST is not available: only administrators of a whole installation may use these
 * endpoints, and the service is phasing them out.
 *
 * @throws the error of the REST call if both fail, unless only GraphQL says that something doesn't exist
 */
export async function restOrGraphql<Answer>(
  rest: () => Promise<Answer>,
  graphql: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await rest();
  } catch (error) {
    if (!(error instanceof LogHTTPException) || !WITHHELD.includes(error.statusCode)) throw error;
    return graphql().catch((second: unknown) => {
      // An aborted call throws the reason of the signal.
      if (!(second instanceof LogException)) throw second;
      throw isMissing(second) && error.statusCode !== 404 ? second : error;
    });
  }
}
