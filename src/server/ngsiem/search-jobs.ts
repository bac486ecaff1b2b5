import { manyPipes } from '../../language/diagnostics/silent-mistakes.ts';
import { parse } from '../../language/index.ts';
import { InvalidQueryError, readQueryRequest } from '../queries/query-request.ts';
import { hashOf, type QueryJobDialect } from '../routes/query-jobs-routes.ts';

/** A query without results. */
const NO_EVENTS = 'test(0 == 1)';

/** Query jobs of Next-Gen SIEM: an invalid query creates a job that finds nothing, without diagnostics. */
export const NGSIEM_JOBS: QueryJobDialect = {
  readRequest: ([body, ...rest], onInvalid) => {
    try {
      const request = readQueryRequest(body, ...rest);
      const problem = manyPipes(parse(request.queryString));
      if (problem !== undefined) throw new InvalidQueryError(400, problem.message);
      return request;
    } catch (error) {
      if (!(error instanceof InvalidQueryError)) throw error;
      onInvalid(error.message);
      const queryString = String(body.queryString);
      const { plan, ...empty } = readQueryRequest({ ...body, queryString: NO_EVENTS }, ...rest);
      return { ...empty, queryString, plan: { ...plan, filterQueryString: queryString } };
    }
  },
  created: ({ queryString }) => ({ hashedQueryOnView: hashOf(queryString) }),
  deletedStatus: 200,
};
