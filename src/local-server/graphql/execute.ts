import { type ExecutionResult, execute, GraphQLError, parse, specifiedRules, validate } from 'graphql';
import { ResourceError } from '../registries/resource-error.ts';
import { DiskError } from '../store/state-file.ts';
import { absentOperation } from './absent-areas.ts';
import type { GraphqlContext } from './area.ts';
import { checkLimits, MAX_TOKENS } from './limits.ts';
import { graphqlSchema, operations } from './schema.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

/** The response; its status is always 200. */
export interface GraphqlAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlAnswerError[];
}

export interface GraphqlAnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly state: Readonly<Record<string, string>>;
}

const MAX_ERRORS = 20;
/** The client requests an operation that the service may have. */
const MISSING_OPERATION = /^Cannot query field "\w+" on type "(Query|Mutation)"/;
const ONLY_A_PART = "The local server supports only part of the service's API.";

/**
 * Runs a GraphQL request. Never throws: all failures become items of `errors`.
 *
 * @param onError called with each error message, except those about things that exist or don't exist, which clients
 * expect.
 */
export async function executeGraphql(
  request: GraphqlRequest,
  context: GraphqlContext,
  onError: (message: string) => void,
): Promise<GraphqlAnswer> {
  const report = (error: unknown): GraphqlAnswerError => {
    const answer = answerError(error, context);
    if (!isAboutExistence(error)) onError(answer.message);
    return answer;
  };
  try {
    const document = parse(request.query, { maxTokens: MAX_TOKENS });
    checkLimits(document);
    const schema = graphqlSchema();
    const absent = absentOperation(document, schema);
    if (absent !== undefined) return { data: null, errors: [report(absent)] };
    const problems = validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
    if (problems.length > 0) return { data: null, errors: problems.map(report) };
    const result: ExecutionResult = await execute({
      schema,
      document,
      rootValue: operations,
      contextValue: context,
      variableValues: request.variables,
      operationName: request.operationName,
    });
    const data = result.data ?? null;
    return result.errors === undefined ? { data } : { data, errors: result.errors.map(report) };
  } catch (error) {
    return { data: null, errors: [report(error)] };
  }
}

function isAboutExistence(error: unknown): boolean {
  const { originalError } = error instanceof GraphQLError ? error : { originalError: error };
  return originalError instanceof ResourceError && ['missing', 'conflict'].includes(originalError.fault);
}

function answerError(error: unknown, { options }: GraphqlContext): GraphqlAnswerError {
  const { path, locations, originalError, message } =
    error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
  const place = {
    ...(path === undefined ? {} : { path }),
    ...(locations === undefined ? {} : { locations }),
  };
  if (originalError instanceof ResourceError) {
    return { message: originalError.message, ...place, state: originalError.state };
  }
  if (originalError instanceof DiskError) {
    options.onWarning(`A GraphQL field was rejected. ${originalError.message}`);
    return { message: originalError.message, ...place, state: {} };
  }
  // The parser's recursion overflows for a text of only brackets.
  if (originalError instanceof RangeError)
    return { message: 'The query is nested too deeply.', ...place, state: {} };
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) {
    options.onWarning(`A GraphQL field failed: ${originalError.stack ?? originalError.message}`);
    return { message: 'The server could not resolve this field.', ...place, state: {} };
  }
  return {
    message: MISSING_OPERATION.test(message) ? `${message} ${ONLY_A_PART}` : message,
    ...place,
    state: {},
  };
}
