import type { CallOptions } from '../core/http/call-options.ts';
import { requireArray, requireString, requireText } from '../core/option-checks.ts';
import type {
  SearchDomain,
  SearchDomainDetails,
  SearchDomainSummary,
  ViewConnection,
} from '../core/wire/repositories.ts';
import { ParserMethods } from './parsers.ts';
import { type CreateOptions, requireIfExists, unchecked } from './resource.ts';

export interface CreateViewOptions extends CreateOptions {
  /** Description of the view. @default none (unchanged on update) */
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

/** Methods of a client for views, and repositories as places to search. */
export abstract class SearchDomainMethods extends ParserMethods {
  /** Returns all repositories and views that the token can access, with their kind. */
  async listSearchDomains(options: CallOptions = {}): Promise<SearchDomainSummary[]> {
    const call = this.call('listSearchDomains', options);
    return call.listOf(await call.graphql(LIST), 'searchDomains');
  }

  /** Returns a repository, or a view with its connections, or undefined if it does not exist or the token can't access it. */
  async getSearchDomain(name: string, options: CallOptions = {}): Promise<SearchDomainDetails | undefined> {
    const call = this.call('getSearchDomain', options);
    const run = () => call.requireDomain<WireDomain>('searchDomain', GET, { name }, name);
    const details = await call.ifListed({ name }, run, (options) => this.listSearchDomains(options));
    if (details === undefined) return undefined;
    const { connections = [], ...domain } = details;
    return {
      ...domain,
      connections: connections.map(({ repository, filter }) => ({ repositoryName: repository.name, filter })),
    };
  }

  /**
   * Creates a view. A view has no events of its own: it shows the events of repositories that match a filter.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if a repository or view has this name.
   *
   * @example
   * ```ts
   * const connections = [{ repositoryName: 'orders', filter: 'level=error' }];
   * await client.createView('failed-orders', connections, { ifExists: 'update' });
   * ```
   */
  async createView(
    name: string,
    connections: readonly ViewConnection[],
    options: CreateViewOptions = {},
  ): Promise<SearchDomain> {
    const call = this.call('createView', options, { description: unchecked, ifExists: requireIfExists });
    const { description } = options;
    const variables = {
      ...call.texts({ name }),
      ...call.ownOptions(),
      connections: requireConnections(call.owner, connections),
    };
    return call.createOr<SearchDomain>({
      create: () => call.part('createView', CREATE_VIEW, variables),
      find: async () => {
        const domain = await this.getSearchDomain(name, call.callOptions);
        return domain?.kind === 'View' ? { name: domain.name } : undefined;
      },
      update: async () => {
        const updated = await this.updateView(name, connections, call.callOptions);
        if (description !== undefined) await this.updateDescription(name, description, call.callOptions);
        return updated;
      },
    });
  }

  /** Replaces the repositories and filters of a view. */
  async updateView(
    name: string,
    connections: readonly ViewConnection[],
    options: CallOptions = {},
  ): Promise<SearchDomain> {
    const call = this.call('updateView', options);
    return call.part('updateView', UPDATE_VIEW, {
      ...call.texts({ name }),
      connections: requireConnections(call.owner, connections),
    });
  }

  /** Sets the description of a repository or view. */
  async updateDescription(name: string, description: string, options: CallOptions = {}): Promise<void> {
    const call = this.call('updateDescription', options);
    requireString(call.owner, 'the description', description);
    await call.graphql(DESCRIBE, { ...call.texts({ name }), description });
  }

  /**
   * Deletes a repository with all its events, or a view. Deleting a view deletes no events.
   *
   * @returns false if there is no such repository or view.
   *
   * @example
   * ```ts
   * await client.deleteSearchDomain('failed-orders', { deleteMessage: 'unused' });
   * ```
   */
  async deleteSearchDomain(name: string, options: DeleteSearchDomainOptions = {}): Promise<boolean> {
    const call = this.call('deleteSearchDomain', options, { deleteMessage: unchecked });
    const variables = { name, deleteMessage: options.deleteMessage ?? '' };
    const run = () => call.part<boolean>('deleteSearchDomain.result', DELETE, variables);
    return call.ifListed({ name }, run, (options) => this.listSearchDomains(options), false);
  }
}

function requireConnections(
  owner: string,
  connections: readonly ViewConnection[],
): readonly ViewConnection[] {
  const given = requireArray(owner, 'the connections', connections, '{ repositoryName, filter }');
  return (given as readonly (Partial<ViewConnection> | null)[]).map((connection, index) => ({
    repositoryName: requireText(owner, `connections[${index}].repositoryName`, connection?.repositoryName),
    filter: requireText(owner, `connections[${index}].filter`, connection?.filter),
  }));
}
