import { LogOptionsException } from '../errors.ts';
import { describe, requireBoolean, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { Parser, ParserSummary } from '../wire/parsers.ts';
import { found } from './found.ts';
import { graphqlPart, listOf } from './graphql-part.ts';

export interface CreateParserOptions extends CallOptions {
  /** Fields that become tags. @default [] */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. @default [] */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
  /** Replaces an existing parser with the same name. @default false */
  allowOverwritingExistingParser?: boolean | undefined;
}

/** Properties of a parser to update. */
export interface UpdateParserOptions extends CallOptions {
  /** New name of the parser. */
  name?: string | undefined;
  /** New parser script, in the query language. */
  script?: string | undefined;
  /** Fields that become tags. */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to remove before the parser runs. */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
}

const FIELD_LISTS = ['fieldsToTag', 'fieldsToBeRemovedBeforeParsing'] as const;

const PARSER_FIELDS = 'id name isBuiltIn script fieldsToTag fieldsToBeRemovedBeforeParsing';

const LIST = `query ListParsers($repository: String!) {
  repository(name: $repository) { parsers { id name isBuiltIn } }
}`;

const GET = `query GetParser($repository: String!, $name: String!) {
  repository(name: $repository) { parser(name: $name) { ${PARSER_FIELDS} } }
}`;

const UPDATE = `mutation UpdateParser($input: UpdateParserInputV2!) {
  updateParserV2(input: $input) { ${PARSER_FIELDS} }
}`;

const CREATE = `mutation CreateParser($repository: RepoOrViewName!, $name: String!, $script: String!, $fieldsToTag: [String!]!, $fieldsToBeRemovedBeforeParsing: [String!]!, $allowOverwritingExistingParser: Boolean!) {
  createParserV2(input: {
    repositoryName: $repository, name: $name, script: $script, testCases: [], fieldsToTag: $fieldsToTag,
    fieldsToBeRemovedBeforeParsing: $fieldsToBeRemovedBeforeParsing,
    allowOverwritingExistingParser: $allowOverwritingExistingParser
  }) { ${PARSER_FIELDS} }
}`;

const DELETE = `mutation DeleteParser($repository: RepoOrViewName!, $id: String!) {
  deleteParser(input: { repositoryName: $repository, id: $id }) { result }
}`;

export async function listParsers(
  { webCaller, repository }: RepositoryScope,
  options: CallOptions,
): Promise<ParserSummary[]> {
  const answer = await webCaller.callGraphql<{ repository: { parsers: ParserSummary[] } | null }>({
    ...resolveCallOptions('listParsers', options),
    query: LIST,
    variables: { repository },
  });
  return listOf<ParserSummary>(webCaller, found(answer.repository, repository), 'parsers');
}

export async function getParser(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: CallOptions,
): Promise<Parser | undefined> {
  const answer = await webCaller.callGraphql<{ repository: { parser: Parser | null } | null }>({
    ...resolveCallOptions('getParser', options),
    query: GET,
    variables: { repository, name: requireText('getParser', 'name', name) },
  });
  return found(answer.repository, repository).parser ?? undefined;
}

export async function createParser(
  { webCaller, repository }: RepositoryScope,
  name: string,
  script: string,
  options: CreateParserOptions,
): Promise<Parser> {
  const owner = 'createParser';
  const call = resolveCallOptions(owner, options, [
    'fieldsToTag',
    'fieldsToBeRemovedBeforeParsing',
    'allowOverwritingExistingParser',
  ]);
  const {
    fieldsToTag = [],
    fieldsToBeRemovedBeforeParsing = [],
    allowOverwritingExistingParser = false,
  } = options;
  const variables = {
    repository,
    name: requireText(owner, 'name', name),
    script: requireText(owner, 'script', script),
    fieldsToTag: requireTexts(owner, 'fieldsToTag', fieldsToTag),
    fieldsToBeRemovedBeforeParsing: requireTexts(
      owner,
      'fieldsToBeRemovedBeforeParsing',
      fieldsToBeRemovedBeforeParsing,
    ),
    allowOverwritingExistingParser: requireBoolean(
      owner,
      'allowOverwritingExistingParser',
      allowOverwritingExistingParser,
    ),
  };
  return graphqlPart<Parser>(webCaller, 'createParserV2', {
    ...call,
    query: CREATE,
    variables,
  });
}

export async function updateParser(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: UpdateParserOptions,
): Promise<Parser> {
  const owner = 'updateParser';
  const call = resolveCallOptions(owner, options, ['name', 'script', ...FIELD_LISTS]);
  const { name, script } = options;
  const input: Record<string, unknown> = {
    repositoryName: repository,
    id: requireText(owner, 'id', id),
    name: name === undefined ? undefined : requireText(owner, 'name', name),
    script: script === undefined ? undefined : { script: requireText(owner, 'script', script) },
  };
  for (const list of FIELD_LISTS) {
    if (options[list] !== undefined) input[list] = requireTexts(owner, list, options[list]);
  }
  return graphqlPart<Parser>(webCaller, 'updateParserV2', {
    ...call,
    query: UPDATE,
    variables: { input },
  });
}

export async function deleteParser(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: CallOptions,
): Promise<boolean> {
  return graphqlPart<boolean>(webCaller, 'deleteParser.result', {
    ...resolveCallOptions('deleteParser', options),
    query: DELETE,
    variables: { repository, id: requireText('deleteParser', 'id', id) },
  });
}

function requireTexts(owner: string, name: string, values: readonly string[]): readonly string[] {
  if (!Array.isArray(values)) {
    throw new LogOptionsException(
      `${owner}: "${name}" must be an array of strings (got ${describe(values)}).`,
    );
  }
  return values.map((value) => requireText(owner, name, value));
}
