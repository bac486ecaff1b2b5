import type { CallOptions } from '../core/http/call-options.ts';
import type { Organization } from '../core/wire/organizations.ts';
import { type Api, type CreateOptions, requireIfExists, unchecked } from './resource.ts';

export interface CreateOrganizationOptions extends CreateOptions {
  /** Description of the organization. `ifExists: 'update'` doesn't change it: the service has no API for that. @default none */
  description?: string | undefined;
}

interface SearchResult {
  readonly organizationId: string;
  readonly organizationName: string;
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

/** The search also matches users and repositories of an organization, so it may return an organization twice. */
export async function listOrganizations(api: Api, options: CallOptions): Promise<Organization[]> {
  const call = api.call('listOrganizations', options);
  const organizations = new Map<string, Organization>();
  for (let skip = 0; ; ) {
    const page = await call.part('searchOrganizations', SEARCH, { skip, limit: PAGE_SIZE });
    const results = call.listOf<SearchResult>(page, 'results');
    // Required, because without a total the loop would not end.
    const total = call.partOf<number>(page, 'totalResults');
    for (const { organizationId: id, organizationName: name } of results) {
      if (!organizations.has(id)) organizations.set(id, { id, name });
    }
    skip += results.length;
    if (results.length === 0 || skip >= total) return [...organizations.values()];
  }
}

/** Returns the organization that the token belongs to. */
export async function getOrganization(api: Api, options: CallOptions): Promise<Organization> {
  return api.call('getOrganization', options).part('organization', OWN);
}

export async function createOrganization(
  api: Api,
  name: string,
  options: CreateOrganizationOptions,
): Promise<Organization> {
  const call = api.call('createOrganization', options, { description: unchecked, ifExists: requireIfExists });
  const variables = { ...call.texts({ name }), ...call.ownOptions() };
  return call.createOr<Organization>({
    create: () => call.part('createEmptyOrganization', CREATE, variables),
    find: async () =>
      (await listOrganizations(api, call.callOptions)).find((organization) => organization.name === name),
  });
}
