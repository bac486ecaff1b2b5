import type { GraphqlArea, Optional } from './area.ts';

interface SearchArguments {
  readonly searchFilter?: Optional<string>;
  readonly skip?: Optional<number>;
  readonly limit?: Optional<number>;
}

interface CreateArguments {
  readonly name: string;
  readonly description?: Optional<string>;
  readonly organizationId?: Optional<string>;
}

export const organizationsArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type Organization { id: String! name: String! description: String }
    type OrganizationSearchResultEntry { organizationId: String! organizationName: String! }
    type OrganizationSearchResultSet { totalResults: Int! results: [OrganizationSearchResultEntry!]! }
    enum Organizations__SortBy { Name Volume Cid Subscription }
    type CreateOrganizationMutation { organization: Organization! }

    extend type Query {
      organization: Organization!
      searchOrganizations(
        searchFilter: String
        sortBy: Organizations__SortBy!
        skip: Int = 0
        limit: Int = 50
      ): OrganizationSearchResultSet!
      organizations: [Organization!]! @deprecated(reason: "The service no longer has it. Use searchOrganizations.")
    }

    extend type Mutation {
      createEmptyOrganization(
        name: String!
        description: String
        organizationId: String
        subdomain: String
        cid: String
      ): Organization!
      createOrganization(name: String!, description: String!): CreateOrganizationMutation!
        @deprecated(reason: "The service no longer has it. Use createEmptyOrganization.")
    }
  `,
  operations: {
    organization: (_: unknown, { organizations }) => organizations.own,
    organizations: (_: unknown, { organizations }) => organizations.list(),
    searchOrganizations: ({ searchFilter, skip, limit }: SearchArguments, { organizations }) => {
      const needle = (searchFilter ?? '').toLowerCase();
      const matching = organizations
        .list()
        .filter(({ name }) => name.toLowerCase().includes(needle))
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ id, name }) => ({ organizationId: id, organizationName: name }));
      const start = Math.max(0, skip ?? 0);
      const results = matching.slice(start, start + Math.max(0, limit ?? 50));
      return { totalResults: matching.length, results };
    },
    createEmptyOrganization: ({ name, description, organizationId }: CreateArguments, { organizations }) =>
      organizations.create({ name, description, ...(organizationId != null && { id: organizationId }) }),
    createOrganization: ({ name, description }: CreateArguments, { organizations }) => ({
      organization: organizations.create({ name, description }),
    }),
  },
};
