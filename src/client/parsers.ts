import { requireBoolean, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { Parser, ParserSummary } from '../wire/parsers.ts';
import { found } from './found.ts';

export interface CreateParserOptions extends CallOptions {
  /** Fields that become tags. @default [] */
  fieldsToTag?: readonly string[] | undefined;
  /** Fields to drop before the parser runs. @default [] */
  fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
  /** Replace a parser that has the name already. @default false */
  allowOverwritingExistingParser?: boolean | undefined;
}

const PARSER_FIELDS = 'id name isBuiltIn script fieldsToTag fieldsToBeRemovedBeforeParsing';

const LIST = `query ListParsers($repository: String!) {
  repository(name: $repository) { parsers { id name isBuiltIn } }
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
  return found(answer.repository, repository).parsers;
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
    fieldsToTag: fieldsToTag.map((field) => requireText(owner, 'fieldsToTag', field)),
    fieldsToBeRemovedBeforeParsing: fieldsToBeRemovedBeforeParsing.map((field) =>
      requireText(owner, 'fieldsToBeRemovedBeforeParsing', field),
    ),
    allowOverwritingExistingParser: requireBoolean(
      owner,
      'allowOverwritingExistingParser',
      allowOverwritingExistingParser,
    ),
  };
  const answer = await webCaller.callGraphql<{ createParserV2: Parser }>({
    ...call,
    query: CREATE,
    variables,
  });
  return answer.createParserV2;
}

export async function deleteParser(
  { webCaller, repository }: RepositoryScope,
  id: string,
  options: CallOptions,
): Promise<boolean> {
  const answer = await webCaller.callGraphql<{ deleteParser: { result: boolean } }>({
    ...resolveCallOptions('deleteParser', options),
    query: DELETE,
    variables: { repository, id: requireText('deleteParser', 'id', id) },
  });
  return answer.deleteParser.result;
}
