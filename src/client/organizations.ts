import type { CallOptions } from '../core/http/call-options.ts';
import type { Organization } from '../core/wire/organizations.ts';
import { type CreateOptions, requireIfExists, unchecked } from './resource.ts';
import { UserMethods } from './users.ts';

export interface CreateOrganizationOptions extends CreateOptions {
  /** Description of the organization. `ifExists: 'update'` doesn't change it: the service has no API for that. @default none */
  description?: string | undefined;
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

/** Methods of a client for organizations. */
export abstract class OrganizationMethods extends UserMethods {
  /** Returns the organization that the token belongs to. */
  async getOrganization(options: CallOptions = {}): Promise<Organization> {
    return this.call('getOrganization', options).part('organization', OWN);
  }

  /** Returns all organizations of the service, without descriptions. Requires permission to administer the service. */
  async listOrganizations(options: CallOptions = {}): Promise<Organization[]> {
    const call = this.call('listOrganizations', options);
    // The search also matches users and repositories of an organization, so it may return an organization twice.
    const organizations = new Map<string, Organization>();
    for (let skip = 0; ; ) {
      const page = await call.part('searchOrganizations', SEARCH, { skip, limit: PAGE_SIZE });
      const results = call.listOf<{ organizationId: string; organizationName: string }>(page, 'results');
      // Required, because without a total the loop would not end.
      const total = call.partOf<number>(page, 'totalResults');
      for (const { organizationId: id, organizationName: name } of results) {
        if (!organizations.has(id)) organizations.set(id, { id, name });
      }
      skip += results.length;
      if (results.length === 0 || skip >= total) return [...organizations.values()];
    }
  }

  /**
   * Creates an organization without users. Requires permission to administer the service. Services may accept a name that
   * is in use: to get the existing organization instead of a second one, set `ifExists: 'keep'`.
   */
  async createOrganization(name: string, options: CreateOrganizationOptions = {}): Promise<Organization> {
    const checks = { description: unchecked, ifExists: requireIfExists };
    const call = this.call('createOrganization', options, checks);
    const variables = { ...call.texts({ name }), ...call.ownOptions() };
    return call.createOr<Organization>({
      create: () => call.part('createEmptyOrganization', CREATE, variables),
      find: async () =>
        (await this.listOrganizations(call.callOptions)).find((organization) => organization.name === name),
    });
  }
}
