import type { CallOptions } from '../core/http/call-options.ts';
import { requireBoolean, requireString } from '../core/option-checks.ts';
import { requireStringMap } from '../core/string-map.ts';
import type { QueryValidation } from '../core/wire/query-validation.ts';
import { type QueryText, queryStringOf } from './query/query-fragment.ts';
import type { QueryOptions } from './query/query-options.ts';
import { unchecked } from './resource.ts';
import { StatusMethods } from './status.ts';

export interface ValidateQueryOptions extends CallOptions, Pick<QueryOptions, 'arguments'> {
  /** Validates the query as a live query. @default false */
  isLive?: boolean | undefined;
  /** Version of the query language. @default 'legacy' */
  version?: string | undefined;
}

const VALIDATE = `query ValidateQuery($queryString: String!, $version: LanguageVersionEnum!, $isLive: Boolean, $arguments: [QueryArgument!]) {
  validateQuery(queryString: $queryString, version: $version, isLive: $isLive, arguments: $arguments) {
    isValid
    diagnostics { message code severity }
  }
}`;

/** Methods of a client for checking queries. */
export abstract class QueryValidationMethods extends StatusMethods {
  /**
   * Checks whether the service can run a query, and returns its diagnostics.
   *
   * @example
   * ```ts
   * const { isValid, diagnostics } = await client.validateQuery('level=error | count(');
   * ```
   */
  async validateQuery(queryString: QueryText, options: ValidateQueryOptions = {}): Promise<QueryValidation> {
    const owner = 'validateQuery';
    const call = this.call(owner, options, { isLive: unchecked, arguments: unchecked, version: unchecked });
    const values = requireStringMap(owner, 'arguments', options.arguments ?? {}, true);
    return call.part('validateQuery', VALIDATE, {
      queryString: requireString(owner, 'the query', queryStringOf(queryString)),
      ...call.texts({ version: options.version ?? 'legacy' }),
      isLive: requireBoolean(owner, 'isLive', options.isLive ?? false),
      arguments: Object.entries(values).map(([name, value]) => ({ name, value })),
    });
  }
}
