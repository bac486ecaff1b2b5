import { requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { Organization } from '../wire/organizations.ts';

export interface CreateOrganizationOptions extends CallOptions {
  /** What it is for, for people. @default none */
  description?: string | undefined;
}

interface SearchPage {
  readonly totalResults: number;
  readonly results: readonly { readonly organizationId: string; readonly organizationName: string }[];
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
    const { searchOrganizations: page } = await webCaller.callGraphql<{ searchOrganizations: SearchPage }>({
      ...call,
      query: SEARCH,
      variables: { skip, limit: PAGE_SIZE },
    });
    for (const { organizationId: id, organizationName: name } of page.results) {
      if (!organizations.has(id)) organizations.set(id, { id, name });
    }
    skip += page.results.length;
    if (page.results.length === 0 || skip >= page.totalResults) return [...organizations.values()];
  }
}

/** The organization that the token belongs to. */
export async function getOrganization(webCaller: WebCaller, options: CallOptions): Promise<Organization> {
  const { organization } = await webCaller.callGraphql<{ organization: Organization }>({
    ...resolveCallOptions('getOrganization', options),
    query: OWN,
  });
  return organization;
}

export async function createOrganization(
  webCaller: WebCaller,
  name: string,
  options: CreateOrganizationOptions,
): Promise<Organization> {
  const call = resolveCallOptions('createOrganization', options, ['description']);
  const { createEmptyOrganization } = await webCaller.callGraphql<{
    createEmptyOrganization: Organization;
  }>({
    ...call,
    query: CREATE,
    variables: {
      name: requireText('createOrganization', 'name', name),
      description: options.description,
    },
  });
  return createEmptyOrganization;
}
