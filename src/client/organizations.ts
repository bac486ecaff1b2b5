import { requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { Organization } from '../wire/organizations.ts';
import { graphqlPart, listOf, partOf } from './graphql-part.ts';

export interface CreateOrganizationOptions extends CallOptions {
  /** Description of the organization. @default none */
  description?: string | undefined;
}

interface SearchResult {
  readonly organizationId: string;
  readonly organizationName: string;
}

interface SearchPage {
  readonly totalResults: number;
  readonly results: readonly SearchResult[];
}

const PAGE_SIZE = 100;

const SEARCH = `query ListOrganizations($skip: Int, $limit: Int) {
  searchOrganizations(sortBy: Name, skip: $skip, limit: $limit) {
    totalResults
    results { organizationId organizationName }
  }
}`;

const OWN = 'query GetOrganization { organization { id name description } }';

const CREATE = `mutation CreateOrganization($name: String!, $description: String) {
  createEmptyOrganization(name: $name, description: $description) { id name description }
}`;

/** The search also finds an organization by its users and repositories, so it can come more than once. */
export async function listOrganizations(webCaller: WebCaller, options: CallOptions): Promise<Organization[]> {
  const call = resolveCallOptions('listOrganizations', options);
  const organizations = new Map<string, Organization>();
  for (let skip = 0; ; ) {
    const page = await graphqlPart<SearchPage>(webCaller, 'searchOrganizations', {
      ...call,
      query: SEARCH,
      variables: { skip, limit: PAGE_SIZE },
    });
    const results = listOf<SearchResult>(webCaller, page, 'results');
    // Without a total there would be no end.
    const total = partOf<number>(webCaller, page, 'totalResults');
    for (const { organizationId: id, organizationName: name } of results) {
      if (!organizations.has(id)) organizations.set(id, { id, name });
    }
    skip += results.length;
    if (results.length === 0 || skip >= total) return [...organizations.values()];
  }
}

/** The organization that the token belongs to. */
export async function getOrganization(webCaller: WebCaller, options: CallOptions): Promise<Organization> {
  return graphqlPart<Organization>(webCaller, 'organization', {
    ...resolveCallOptions('getOrganization', options),
    query: OWN,
  });
}

export async function createOrganization(
  webCaller: WebCaller,
  name: string,
  options: CreateOrganizationOptions,
): Promise<Organization> {
  const call = resolveCallOptions('createOrganization', options, ['description']);
  return graphqlPart<Organization>(webCaller, 'createEmptyOrganization', {
    ...call,
    query: CREATE,
    variables: {
      name: requireText('createOrganization', 'name', name),
      description: options.description,
    },
  });
}
