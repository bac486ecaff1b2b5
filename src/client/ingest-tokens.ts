import { requireText, requireToken } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { RepositoryScope } from '../web/repository-scope.ts';
import type { IngestToken } from '../wire/ingest-tokens.ts';
import { found } from './found.ts';
import { graphqlPart, listOf } from './graphql-part.ts';

export interface AddIngestTokenOptions extends CallOptions {
  /** The parser for what comes with the token: its name or id. */
  parser?: string | undefined;
  /** The text of the token. Takes special rights. @default one that the service makes up */
  customToken?: string | undefined;
}

const TOKEN_FIELDS = 'name token parser { name }';

const LIST = `query ListIngestTokens($repository: String!) {
  repository(name: $repository) { ingestTokens { ${TOKEN_FIELDS} } }
}`;

const ADD = `mutation AddIngestToken($repository: String!, $name: String!, $parser: String, $customToken: String) {
  addIngestTokenV3(input: { repositoryName: $repository, name: $name, parser: $parser, customToken: $customToken }) {
    ${TOKEN_FIELDS}
  }
}`;

const ASSIGN = `mutation AssignParser($repository: String!, $name: String!, $parser: String!) {
  assignParserToIngestTokenV2(input: { repositoryName: $repository, tokenName: $name, parser: $parser }) {
    ${TOKEN_FIELDS}
  }
}`;

const UNASSIGN = `mutation UnassignParser($repository: String!, $name: String!) {
  unassignIngestToken(repositoryName: $repository, tokenName: $name) { __typename }
}`;

const REMOVE = `mutation RemoveIngestToken($repository: String!, $name: String!) {
  removeIngestToken(repositoryName: $repository, name: $name) { result }
}`;

export async function listIngestTokens(
  { webCaller, repository }: RepositoryScope,
  options: CallOptions,
): Promise<IngestToken[]> {
  const answer = await webCaller.callGraphql<{ repository: { ingestTokens: IngestToken[] } | null }>({
    ...resolveCallOptions('listIngestTokens', options),
    query: LIST,
    variables: { repository },
  });
  return listOf<IngestToken>(webCaller, found(answer.repository, repository), 'ingestTokens');
}

export async function addIngestToken(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: AddIngestTokenOptions,
): Promise<IngestToken> {
  const owner = 'addIngestToken';
  const call = resolveCallOptions(owner, options, ['parser', 'customToken']);
  const { parser, customToken } = options;
  const variables = {
    repository,
    name: requireText(owner, 'name', name),
    parser: parser === undefined ? undefined : requireText(owner, 'parser', parser),
    customToken: customToken === undefined ? undefined : requireToken(owner, 'customToken', customToken),
  };
  return graphqlPart<IngestToken>(webCaller, 'addIngestTokenV3', {
    ...call,
    query: ADD,
    variables,
  });
}

export async function assignParserToIngestToken(
  { webCaller, repository }: RepositoryScope,
  name: string,
  parser: string,
  options: CallOptions,
): Promise<IngestToken> {
  const owner = 'assignParserToIngestToken';
  return graphqlPart<IngestToken>(webCaller, 'assignParserToIngestTokenV2', {
    ...resolveCallOptions(owner, options),
    query: ASSIGN,
    variables: {
      repository,
      name: requireText(owner, 'name', name),
      parser: requireText(owner, 'parser', parser),
    },
  });
}

export async function unassignParserFromIngestToken(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: CallOptions,
): Promise<void> {
  const owner = 'unassignParserFromIngestToken';
  await webCaller.callGraphql({
    ...resolveCallOptions(owner, options),
    query: UNASSIGN,
    variables: { repository, name: requireText(owner, 'name', name) },
  });
}

export async function removeIngestToken(
  { webCaller, repository }: RepositoryScope,
  name: string,
  options: CallOptions,
): Promise<boolean> {
  return graphqlPart<boolean>(webCaller, 'removeIngestToken.result', {
    ...resolveCallOptions('removeIngestToken', options),
    query: REMOVE,
    variables: { repository, name: requireText('removeIngestToken', 'name', name) },
  });
}
