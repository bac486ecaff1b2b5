import type { CallOptions } from '../core/http/call-options.ts';
import { requireBoolean, requireString } from '../core/option-checks.ts';
import { requireStringMap } from '../core/string-map.ts';
import type { TimePoint } from '../core/wire/query.ts';
import type { AlertType, QueryAnalysis, QueryValidation } from '../core/wire/query-validation.ts';
import { type Api, requireTexts, requireTime, unchecked } from './resource.ts';

export interface ValidateQueryOptions extends CallOptions {
  /** Validates the query as a live query. @default false */
  isLive?: boolean | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string>> | undefined;
  /** Version of the query language. @default 'legacy' */
  version?: string | undefined;
}

export interface AnalyzeQueryOptions extends ValidateQueryOptions {
  /** Reports parameters without a value and unknown saved queries. @default true */
  strict?: boolean | undefined;
  /** Functions that the query must not use. @default [] */
  rejectFunctions?: readonly string[] | undefined;
  /** Start of the time range to check, in the same formats as `start` of a query. @default '24hours' */
  start?: TimePoint | Date | undefined;
  /** End of the time range to check, in the same formats as `end` of a query. @default 'now' */
  end?: TimePoint | Date | undefined;
}

const VALIDATE = `query ValidateQuery($queryString: String!, $version: LanguageVersionEnum!, $isLive: Boolean, $arguments: [QueryArgument!]) {
  validateQuery(queryString: $queryString, version: $version, isLive: $isLive, arguments: $arguments) {
    isValid
    diagnostics { message code severity }
  }
}`;

const ANALYZE = `query AnalyzeQuery($input: AnalyzeQueryArguments!) {
  analyzeQuery(input: $input) {
    validateQuery { isValid diagnostics { message code severity } }
    suggestedAlertType { alertType }
  }
}`;

interface AnalyzeResponse {
  readonly validateQuery: QueryValidation;
  readonly suggestedAlertType: { readonly alertType: AlertType } | null;
}

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

export async function analyzeQuery(
  api: Api,
  queryString: string,
  options: AnalyzeQueryOptions,
): Promise<QueryAnalysis> {
  const owner = 'analyzeQuery';
  const call = api.call(owner, options, {
    isLive: requireBoolean,
    arguments: requireStringMap,
    version: unchecked,
    strict: requireBoolean,
    rejectFunctions: requireTexts,
    start: requireTime,
    end: requireTime,
  });
  requireString(owner, 'the query', queryString);
  const { arguments: values = {}, version = 'legacy', start, end, ...own } = call.ownOptions();
  const input = {
    ...own,
    queryString,
    version: { name: call.texts({ version }).version },
    arguments: Object.entries(values as object).map(([name, value]) => ({ name, value })),
    viewName: api.repository,
    ...((start ?? end) !== undefined && { timeInterval: { start, end } }),
  };
  const { validateQuery, suggestedAlertType } = await call.part<AnalyzeResponse>('analyzeQuery', ANALYZE, {
    input,
  });
  return { ...validateQuery, suggestedAlertType: suggestedAlertType?.alertType };
}
