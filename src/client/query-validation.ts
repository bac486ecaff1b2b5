import type { CallOptions } from '../core/http/call-options.ts';
import { requireBoolean, requireString } from '../core/option-checks.ts';
import { requireStringMap } from '../core/string-map.ts';
import type { QueryValidation } from '../core/wire/query-validation.ts';
import { type Api, unchecked } from './resource.ts';

export interface ValidateQueryOptions extends CallOptions {
  /** Validates the query as a live query. @default false */
  isLive?: boolean | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string>> | undefined;
  /** Version of the query language. @default 'legacy' */
  version?: string | undefined;
}

const VALIDATE = `query ValidateQuery($queryString: String!, $version: LanguageVersionEnum!, $isLive: Boolean, $arguments: [QueryArgument!]) {
  validateQuery(queryString: $queryString, version: $version, isLive: $isLive, arguments: $arguments) {
    isValid
    diagnostics { message code severity }
  }
}`;

export async function validateQuery(
  api: Api,
  queryString: string,
  options: ValidateQueryOptions,
): Promise<QueryValidation> {
  const owner = 'validateQuery';
  const call = api.call(owner, options, { isLive: unchecked, arguments: unchecked, version: unchecked });
  requireString(owner, 'the query', queryString);
  const values = requireStringMap(owner, 'arguments', options.arguments ?? {});
  return call.part('validateQuery', VALIDATE, {
    queryString,
    ...call.texts({ version: options.version ?? 'legacy' }),
    isLive: requireBoolean(owner, 'isLive', options.isLive ?? false),
    arguments: Object.entries(values).map(([name, value]) => ({ name, value })),
  });
}
