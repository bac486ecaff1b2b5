import type { QueryInput } from '../wire/query.ts';
import type { HttpCaller } from './http-caller.ts';
import type { ServiceKind } from './service-kind.ts';

/** The target of operations on a repository: an authenticated caller and the name of the repository or view. */
export interface RepositoryScope {
  readonly webCaller: HttpCaller;
  readonly repository: string;
  /** See `isLogScale` for what this kind of service supports. */
  readonly service: ServiceKind;
  /**
   * Checks a query before it is sent: its arguments and, for services that report no errors in queries, its syntax.
   *
   * @param request the request that would send the query, for the exception.
   * @throws LogQueryException for a syntax error, as if the service had responded with status 400
   * @throws LogOptionsException for a misspelled argument
   */
  readonly checkQuery?:
    | ((input: QueryInput, request: { readonly method: string; readonly path: string }) => Promise<void>)
    | undefined;
}
