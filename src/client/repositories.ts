import { LogOptionsException } from '../errors.ts';
import { requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { Repository, SearchDomain, ViewConnection } from '../wire/repositories.ts';

export interface CreateRepositoryOptions extends CallOptions {
  /** What it is for, for people. @default none */
  description?: string | undefined;
}

export interface DeleteSearchDomainOptions extends CallOptions {
  /** Why, for the service's audit log. @default '' */
  deleteMessage?: string | undefined;
}

const LIST = 'query ListRepositories { repositories { id name description } }';

const LIST_DOMAINS = 'query ListSearchDomains { searchDomains { name } }';

const CREATE = `mutation CreateRepository($name: String!, $description: String) {
  createRepository(name: $name, description: $description) { repository { id name description } }
}`;

const CREATE_VIEW = `mutation CreateView($name: String!, $description: String, $connections: [ViewConnectionInput!]) {
  createView(name: $name, description: $description, connections: $connections) { name }
}`;

const DELETE = `mutation DeleteSearchDomain($name: String!, $deleteMessage: String!) {
  deleteSearchDomain(name: $name, deleteMessage: $deleteMessage) { result }
}`;

export async function listRepositories(webCaller: WebCaller, options: CallOptions): Promise<Repository[]> {
  const call = resolveCallOptions('listRepositories', options);
  const { repositories } = await webCaller.callGraphql<{ repositories: Repository[] }>({
    ...call,
    query: LIST,
  });
  return repositories;
}

export async function listSearchDomains(webCaller: WebCaller, options: CallOptions): Promise<SearchDomain[]> {
  const call = resolveCallOptions('listSearchDomains', options);
  const answer = await webCaller.callGraphql<{ searchDomains: SearchDomain[] }>({
    ...call,
    query: LIST_DOMAINS,
  });
  return answer.searchDomains;
}

export async function createRepository(
  webCaller: WebCaller,
  name: string,
  options: CreateRepositoryOptions,
): Promise<Repository> {
  const call = resolveCallOptions('createRepository', options, ['description']);
  const answer = await webCaller.callGraphql<{ createRepository: { repository: Repository } }>({
    ...call,
    query: CREATE,
    variables: { name: requireText('createRepository', 'name', name), description: options.description },
  });
  return answer.createRepository.repository;
}

export async function createView(
  webCaller: WebCaller,
  name: string,
  connections: readonly ViewConnection[],
  options: CreateRepositoryOptions,
): Promise<SearchDomain> {
  const call = resolveCallOptions('createView', options, ['description']);
  const variables = {
    name: requireText('createView', 'name', name),
    description: options.description,
    connections: requireConnections(connections),
  };
  const answer = await webCaller.callGraphql<{ createView: SearchDomain }>({
    ...call,
    query: CREATE_VIEW,
    variables,
  });
  return answer.createView;
}

export async function deleteSearchDomain(
  webCaller: WebCaller,
  name: string,
  options: DeleteSearchDomainOptions,
): Promise<boolean> {
  const call = resolveCallOptions('deleteSearchDomain', options, ['deleteMessage']);
  const answer = await webCaller.callGraphql<{ deleteSearchDomain: { result: boolean } }>({
    ...call,
    query: DELETE,
    variables: {
      name: requireText('deleteSearchDomain', 'name', name),
      deleteMessage: options.deleteMessage ?? '',
    },
  });
  return answer.deleteSearchDomain.result;
}

function requireConnections(connections: readonly ViewConnection[]): readonly ViewConnection[] {
  if (!Array.isArray(connections)) {
    throw new LogOptionsException(
      'createView: the connections must be an array of { repositoryName, filter }.',
    );
  }
  return connections.map((connection: Partial<ViewConnection> | null, index) => ({
    repositoryName: requireText(
      'createView',
      `connections[${index}].repositoryName`,
      connection?.repositoryName,
    ),
    filter: requireText('createView', `connections[${index}].filter`, connection?.filter),
  }));
}
