import { ResourceError } from '../registries/resource-error.ts';
import type { LocalUser, UserDetails } from '../registries/users.ts';
import { type GraphqlArea, given, type Optional } from './area.ts';

interface ListArguments {
  readonly search?: Optional<string>;
  readonly orderBy?: Optional<{ readonly userField: keyof typeof SORT_KEYS; readonly order: 'ASC' | 'DESC' }>;
}

interface PageArguments extends ListArguments {
  readonly pageNumber: number;
  readonly pageSize: number;
}

interface Input<Value> {
  readonly input: Value;
}

const SORT_KEYS = {
  FULLNAME: (user: LocalUser) => user.fullName ?? '',
  USERNAME: (user: LocalUser) => user.username,
  DISPLAYNAME: displayName,
} as const;

const MAX_PAGE_SIZE = 1000;

const DETAILS_SDL = /* GraphQL */ `
  company: String
  isRoot: Boolean
  firstName: String
  lastName: String
  fullName: String
  picture: String
  email: String
  countryCode: String
  stateCode: String
`;

/** Users, and who is asking. */
export const usersArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type Group {
      id: String!
      displayName: String!
    }

    type User {
      id: String!
      username: String!
      displayName: String!
      fullName: String
      firstName: String
      lastName: String
      email: String
      phoneNumber: String
      picture: String
      company: String
      countryCode: String
      stateCode: String
      isRoot: Boolean!
      isOrgRoot: Boolean!
      createdAt: DateTime!
      groups: [Group!]!
    }

    "An invited user who has not accepted yet. A local server has none."
    type PendingUser {
      id: String!
      newUserEmail: String!
      invitedByEmail: String!
      invitedByName: String!
      orgName: String!
      createdAt: Long!
    }

    union userOrPendingUser = User | PendingUser

    "The account that the token of the request belongs to."
    type Account {
      id: String!
      username: String!
      isRoot: Boolean!
      isOrganizationRoot: Boolean!
      fullName: String
      firstName: String
      lastName: String
      phoneNumber: String
      email: String
      picture: String
      company: String
      countryCode: String
      stateCode: String
      createdAt: DateTime!
      currentOrganization: Organization!
    }

    type PageType {
      number: Int!
      totalNumberOfRows: Int!
      total: Int!
    }

    type UsersPage {
      pageInfo: PageType!
      page: [User!]!
    }

    enum OrderByUserField {
      FULLNAME
      USERNAME
      DISPLAYNAME
    }

    enum OrderByDirection {
      ASC
      DESC
    }

    input OrderByUserFieldInput {
      userField: OrderByUserField!
      order: OrderByDirection!
    }

    input AddUserInputV2 {
      username: String!
      ${DETAILS_SDL}
      sendInvite: Boolean
      verificationToken: String
      isOrgOwner: Boolean
    }

    input AddUserInput {
      username: String!
      ${DETAILS_SDL}
    }

    input UpdateUserByIdInput {
      userId: String!
      username: String
      ${DETAILS_SDL}
    }

    input RemoveUserInput {
      username: String!
    }

    input RemoveUserByIdInput {
      id: String!
    }

    type UpdateUserMutation {
      user: User!
    }

    type UpdateUserByIdMutation {
      user: User!
    }

    type RemoveUserMutation {
      user: User!
    }

    type RemoveUserByIdMutation {
      user: User!
    }

    extend type Query {
      users(search: String, orderBy: OrderByUserFieldInput): [User!]!
      usersPage(search: String, pageNumber: Int!, pageSize: Int!, orderBy: OrderByUserFieldInput): UsersPage!
      user(id: String!): User
      currentUser: User!
      viewer: Account!
    }

    extend type Mutation {
      addUserV2(input: AddUserInputV2!): userOrPendingUser
      updateUser(input: AddUserInput!): UpdateUserMutation!
      updateUserById(input: UpdateUserByIdInput!): UpdateUserByIdMutation!
      removeUser(input: RemoveUserInput!): RemoveUserMutation!
      removeUserById(input: RemoveUserByIdInput!): RemoveUserByIdMutation!
    }
  `,
  resolvers: {
    Query: {
      users: (_: unknown, args: ListArguments, { users }) => sorted(users.list(given(args.search)), args),
      usersPage: (_: unknown, args: PageArguments, { users }) =>
        page(sorted(users.list(given(args.search)), args), args),
      user: (_: unknown, { id }: { readonly id: string }, { users }) => users.get(id),
      currentUser: (_: unknown, __: unknown, { users }) => users.root,
      viewer: (_: unknown, __: unknown, { users }) => users.root,
    },
    Mutation: {
      addUserV2: (_: unknown, { input }: Input<UserDetails>, { users }) => ({
        ...users.add(input),
        __typename: 'User',
      }),
      updateUser: (_: unknown, { input }: Input<UserDetails & { readonly username: string }>, { users }) => ({
        user: users.update(idOf(users.findByUsername(input.username)), input),
      }),
      updateUserById: (
        _: unknown,
        { input }: Input<UserDetails & { readonly userId: string }>,
        { users },
      ) => ({
        user: users.update(input.userId, input),
      }),
      removeUser: (_: unknown, { input }: Input<{ readonly username: string }>, { users }) => ({
        user: users.remove(idOf(users.findByUsername(input.username))),
      }),
      removeUserById: (_: unknown, { input }: Input<{ readonly id: string }>, { users }) => ({
        user: users.remove(input.id),
      }),
    },
    User: {
      displayName,
      isOrgRoot: ({ isRoot }: LocalUser) => isRoot,
      groups: () => [],
    },
    Account: {
      isOrganizationRoot: ({ isRoot }: LocalUser) => isRoot,
      currentOrganization: (_: LocalUser, __: unknown, { organizations }) => organizations.own,
    },
  },
};

function displayName({ fullName, username }: LocalUser): string {
  return fullName ?? username;
}

function sorted(users: LocalUser[], { orderBy }: ListArguments): LocalUser[] {
  if (orderBy === undefined || orderBy === null) return users;
  const key = SORT_KEYS[orderBy.userField];
  const sign = orderBy.order === 'DESC' ? -1 : 1;
  return users.sort((a, b) => sign * key(a).localeCompare(key(b)));
}

function page(users: LocalUser[], { pageNumber, pageSize }: PageArguments): unknown {
  if (pageNumber < 1 || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw new ResourceError(
      'invalid',
      `pageNumber must be at least 1, and pageSize must be 1 to ${MAX_PAGE_SIZE}.`,
    );
  }
  const start = (pageNumber - 1) * pageSize;
  return {
    pageInfo: {
      number: pageNumber,
      totalNumberOfRows: users.length,
      total: Math.ceil(users.length / pageSize),
    },
    page: users.slice(start, start + pageSize),
  };
}

function idOf(user: LocalUser | undefined): string {
  if (user !== undefined) return user.id;
  throw new ResourceError('missing', 'There is no user with this user name.', { username: 'not found' });
}
