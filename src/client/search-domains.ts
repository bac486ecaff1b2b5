import { LogOptionsException } from '../errors.ts';
import { describe, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type {
  SearchDomain,
  SearchDomainDetails,
  SearchDomainSummary,
  ViewConnection,
} from '../wire/repositories.ts';
import { found } from './found.ts';
import { graphqlList, graphqlPart } from './graphql-part.ts';

export interface CreateViewOptions extends CallOptions {
  /** Description of the view. @default none */
  description?: string | undefined;
}

export interface DeleteSearchDomainOptions extends CallOptions {
  /** Reason for the deletion, recorded in the service's audit log. @default '' */
  deleteMessage?: string | undefined;
}

interface WireDomain extends Omit<SearchDomainDetails, 'connections'> {
  readonly connections?: readonly {
    readonly repository: { readonly name: string };
    readonly filter: string;
  }[];
}

const LIST = 'query ListSearchDomains { searchDomains { name description kind: __typename } }';

const GET = `query GetSearchDomain($name: String!) {
  searchDomain(name: $name) {
    id name description automaticSearch kind: __typename
    ... on View { connections { repository { name } filter } }
  }
}`;

const CREATE_VIEW = `mutation CreateView($name: String!, $description: String, $connections: [ViewConnectionInput!]) {
  createView(name: $name, description: $description, connections: $connections) { name }
}`;

const UPDATE_VIEW = `mutation UpdateView($name: String!, $connections: [ViewConnectionInput!]!) {
  updateView(viewName: $name, connections: $connections) { name }
}`;

const DESCRIBE = `mutation UpdateDescription($name: String!, $description: String!) {
  updateDescriptionForSearchDomain(name: $name, newDescription: $description) { __typename }
}`;

const DELETE = `mutation DeleteSearchDomain($name: String!, $deleteMessage: String!) {
  deleteSearchDomain(name: $name, deleteMessage: $deleteMessage) { result }
}`;

export async function listSearchDomains(
  webCaller: WebCaller,
  options: CallOptions,
): Promise<SearchDomainSummary[]> {
  return graphqlList<SearchDomainSummary>(webCaller, 'searchDomains', {
    ...resolveCallOptions('listSearchDomains', options),
    query: LIST,
  });
}

export async function getSearchDomain(
  webCaller: WebCaller,
  name: string,
  options: CallOptions,
): Promise<SearchDomainDetails> {
  const answer = await webCaller.callGraphql<{ searchDomain: WireDomain | null }>({
    ...resolveCallOptions('getSearchDomain', options),
    query: GET,
    variables: { name: requireText('getSearchDomain', 'name', name) },
  });
  const { connections = [], ...domain } = found(answer.searchDomain, name);
  return {
    ...domain,
    connections: connections.map(({ repository, filter }) => ({ repositoryName: repository.name, filter })),
  };
}

export async function createView(
  webCaller: WebCaller,
  name: string,
  connections: readonly ViewConnection[],
  options: CreateViewOptions,
): Promise<SearchDomain> {
  const owner = 'createView';
  const call = resolveCallOptions(owner, options, ['description']);
  return graphqlPart<SearchDomain>(webCaller, 'createView', {
    ...call,
    query: CREATE_VIEW,
    variables: {
      name: requireText(owner, 'name', name),
      description: options.description,
      connections: requireConnections(owner, connections),
    },
  });
}

export async function updateView(
  webCaller: WebCaller,
  name: string,
  connections: readonly ViewConnection[],
  options: CallOptions,
): Promise<SearchDomain> {
  const owner = 'updateView';
  return graphqlPart<SearchDomain>(webCaller, 'updateView', {
    ...resolveCallOptions(owner, options),
    query: UPDATE_VIEW,
    variables: {
      name: requireText(owner, 'name', name),
      connections: requireConnections(owner, connections),
    },
  });
}

export async function updateDescription(
  webCaller: WebCaller,
  name: string,
  description: string,
  options: CallOptions,
): Promise<void> {
  const owner = 'updateDescription';
  const call = resolveCallOptions(owner, options);
  if (typeof description !== 'string') {
    throw new LogOptionsException(
      `${owner}: the description must be a string (got ${describe(description)}).`,
    );
  }
  const variables = { name: requireText(owner, 'name', name), description };
  await webCaller.callGraphql({ ...call, query: DESCRIBE, variables });
}

export async function deleteSearchDomain(
  webCaller: WebCaller,
  name: string,
  options: DeleteSearchDomainOptions,
): Promise<boolean> {
  const call = resolveCallOptions('deleteSearchDomain', options, ['deleteMessage']);
  return graphqlPart<boolean>(webCaller, 'deleteSearchDomain.result', {
    ...call,
    query: DELETE,
    variables: {
      name: requireText('deleteSearchDomain', 'name', name),
      deleteMessage: options.deleteMessage ?? '',
    },
  });
}

function requireConnections(
  owner: string,
  connections: readonly ViewConnection[],
): readonly ViewConnection[] {
  if (!Array.isArray(connections)) {
    throw new LogOptionsException(
      `${owner}: the connections must be an array of { repositoryName, filter } (got ${describe(connections)}).`,
    );
  }
  return connections.map((connection: Partial<ViewConnection> | null, index) => ({
    repositoryName: requireText(owner, `connections[${index}].repositoryName`, connection?.repositoryName),
    filter: requireText(owner, `connections[${index}].filter`, connection?.filter),
  }));
}
