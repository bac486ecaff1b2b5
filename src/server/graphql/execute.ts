import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { GraphqlError, GraphqlAnswer as WireAnswer } from '../../core/wire/graphql-answer.ts';
import { ResourceError } from '../registries/resource-error.ts';
import { DiskError } from '../state-folder.ts';
import { absentOperation, withoutAbsent } from './absent-areas.ts';
import type { GraphqlContext } from './area.ts';
import { checkLimits, MAX_TOKENS } from './limits.ts';
import { graphqlSchema, operations } from './schema.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

/** The response: with the status 200, whatever went wrong. */
type GraphqlAnswer = WireAnswer<Readonly<Record<string, unknown>>>;

const MAX_ERRORS = 20;
/** The client requests an operation that the service may have. */
const MISSING_OPERATION = /^Cannot query field "\w+" on type "(Query|Mutation)"/;
const ONLY_A_PART = "The local server supports only part of the service's API.";

/**
 * Runs a GraphQL request. Never throws: all failures become items of `errors`.
 *
 * @param onError called with each error message, except those about things that exist or don't exist, which clients
 * expect; and with '' if the message says how to fix it.
 */
export async function executeGraphql(
  request: GraphqlRequest,
  context: GraphqlContext,
  onError: (message: string, fix?: string) => void,
): Promise<GraphqlAnswer> {
  const report = (error: unknown): GraphqlError => {
    const answer = answerError(error, context);
    const cause = error instanceof GraphQLError ? error.originalError : undefined;
    const isOwn = cause instanceof DiskError || cause instanceof ResourceError;
    if (!isAboutExistence(error)) onError(answer.message, isOwn ? '' : undefined);
    return answer;
  };
  try {
    const sent = parse(request.query, { maxTokens: MAX_TOKENS });
    checkLimits(sent);
    const schema = graphqlSchema();
    const document = withoutAbsent(sent, schema);
    const absent = absentOperation(document, schema);
    if (absent !== undefined) return { data: null, errors: [report(absent)] };
    const problems = validate(schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
    if (problems.length > 0) return { data: null, errors: problems.map(report) };
    const result: ExecutionResult = await execute({
      schema,
      document,
      rootValue: operations,
      contextValue: context,
      variableValues: variablesOf(document, request.variables),
      operationName: request.operationName,
    });
    const data = result.data ?? null;
    return result.errors === undefined ? { data } : { data, errors: result.errors.map(report) };
  } catch (error) {
    return { data: null, errors: [report(error)] };
  }
}

/** humioctl sends `null` for the lists that the file of a parser lacks. */
function variablesOf(document: DocumentNode, sent: GraphqlRequest['variables']): GraphqlRequest['variables'] {
  const variables = { ...sent };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { selections } = definition.selectionSet;
    if (!selections.some((field) => field.kind === Kind.FIELD && field.name.value === 'createParserV2'))
      continue;
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const isList = type.kind === Kind.NON_NULL_TYPE && type.type.kind === Kind.LIST_TYPE;
      if (isList) variables[variable.name.value] ??= [];
    }
  }
  return variables;
}

function isAboutExistence(error: unknown): boolean {
  const { originalError } = error instanceof GraphQLError ? error : { originalError: error };
  return originalError instanceof ResourceError && ['missing', 'conflict'].includes(originalError.fault);
}

function answerError(error: unknown, { options }: GraphqlContext): GraphqlError {
  const known =
    error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error });
  const state = known.originalError instanceof ResourceError ? known.originalError.state : {};
  return { ...known.toJSON(), message: messageOf(known, options.onWarning), state };
}

function messageOf(
  { message, originalError: cause }: GraphQLError,
  onWarning: (message: string) => void,
): string {
  if (cause instanceof ResourceError || cause instanceof DiskError) return cause.message;
  // The parser's recursion overflows for a document of only brackets.
  if (cause instanceof RangeError) return 'The query is nested too deeply.';
  if (cause !== undefined && !(cause instanceof GraphQLError)) {
    onWarning(`A GraphQL field failed: ${cause.stack ?? cause.message}`);
    return 'The server could not resolve this field.';
  }
  return MISSING_OPERATION.test(message) ? `${message} ${ONLY_A_PART}` : message;
}
