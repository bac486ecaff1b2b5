import { invalid, missing } from '../registries/resource-error.ts';
import type { LocalUser, UserDetails, Users } from '../registries/users.ts';
import { type GraphqlArea, type GraphqlContext, type Input, type Optional, sameTypes } from './area.ts';

interface ListArguments {
  readonly search?: Optional<string>;
  readonly orderBy?: Optional<{ readonly userField: keyof typeof SORT_KEYS; readonly order: 'ASC' | 'DESC' }>;
}

interface PageArguments extends ListArguments {
  readonly pageNumber: number;
  readonly pageSize: number;
}

const SORT_KEYS = {
  FULLNAME: (user: LocalUser) => user.fullName ?? '',
  USERNAME: (user: LocalUser) => user.username,
  DISPLAYNAME: displayName,
} as const;

const MAX_PAGE_SIZE = 1000;

const DETAILS_SDL = /* GraphQL */ `
  company: String isRoot: Boolean firstName: String lastName: String fullName: String picture: String
  email: String countryCode: String stateCode: String
`;

const PERSON_SDL = /* GraphQL */ `
  id: String! username: String! fullName: String firstName: String lastName: String email: String
  phoneNumber: String picture: String company: String countryCode: String stateCode: String isRoot: Boolean!
  createdAt: DateTime!
`;

const USER_PAYLOADS = [
  'UpdateUserMutation',
  'UpdateUserByIdMutation',
  'RemoveUserMutation',
  'RemoveUserByIdMutation',
];

export const usersArea: GraphqlArea = {
  typeDefs: /* GraphQL */ `
    type Group { id: String! displayName: String! }
    type User { ${PERSON_SDL} displayName: String! isOrgRoot: Boolean! groups: [Group!]! }
    "An invited user who has not accepted yet. A local server has none."
    type PendingUser {
      id: String! newUserEmail: String! invitedByEmail: String! invitedByName: String! orgName: String!
      createdAt: Long!
    }

    union userOrPendingUser = User | PendingUser
    "The account that the token of the request belongs to."
    type Account { ${PERSON_SDL} isOrganizationRoot: Boolean! currentOrganization: Organization! }
    type PageType { number: Int! totalNumberOfRows: Int! total: Int! }
    type UsersPage { pageInfo: PageType! page: [User!]! }
    enum OrderByUserField { FULLNAME USERNAME DISPLAYNAME }
    enum OrderByDirection { ASC DESC }
    input OrderByUserFieldInput { userField: OrderByUserField! order: OrderByDirection! }

    input AddUserInputV2 {
      username: String! ${DETAILS_SDL} sendInvite: Boolean verificationToken: String isOrgOwner: Boolean
    }

    input AddUserInput { username: String! ${DETAILS_SDL} }
    input UpdateUserByIdInput { userId: String! username: String ${DETAILS_SDL} }
    input RemoveUserInput { username: String! }
    input RemoveUserByIdInput { id: String! }
    ${sameTypes(USER_PAYLOADS, 'user: User!')}

    extend type Query {
      users(search: String, orderBy: OrderByUserFieldInput): [User!]!
      usersPage(search: String, pageNumber: Int!, pageSize: Int!, orderBy: OrderByUserFieldInput): UsersPage!
      user(id: String!): User
      currentUser: User!
      viewer: Account!
    }

    extend type Mutation {
      addUserV2(input: AddUserInputV2!): userOrPendingUser!
      updateUser(input: AddUserInput!): UpdateUserMutation!
      updateUserById(input: UpdateUserByIdInput!): UpdateUserByIdMutation!
      removeUser(input: RemoveUserInput!): RemoveUserMutation!
      removeUserById(input: RemoveUserByIdInput!): RemoveUserByIdMutation!
    }
  `,
  operations: {
    users: (args: ListArguments, { users }) => sortedUsers(users, args),
    usersPage: (args: PageArguments, { users }) => page(sortedUsers(users, args), args),
    user: ({ id }: { readonly id: string }, { users }) => userNode(users.get(id)),
    currentUser: (_: unknown, { users }) => userNode(users.root),
    viewer: (_: unknown, { users, organizations }: GraphqlContext) => ({
      ...users.root,
      isOrganizationRoot: users.root.isRoot,
      currentOrganization: organizations.own,
    }),
    addUserV2: ({ input }: Input<UserDetails>, { users }) => userNode(users.add(input)),
    updateUser: ({ input }: Input<UserDetails & { readonly username: string }>, { users }) => ({
      user: userNode(users.update(idOf(users, input.username), input)),
    }),
    updateUserById: ({ input }: Input<UserDetails & { readonly userId: string }>, { users }) => ({
      user: userNode(users.update(input.userId, input)),
    }),
    removeUser: ({ input }: Input<{ readonly username: string }>, { users }) => ({
      user: userNode(users.remove(idOf(users, input.username))),
    }),
    removeUserById: ({ input }: Input<{ readonly id: string }>, { users }) => ({
      user: userNode(users.remove(input.id)),
    }),
  },
};

function userNode(user: LocalUser | undefined) {
  return (
    user && {
      ...user,
      __typename: 'User',
      displayName: displayName(user),
      isOrgRoot: user.isRoot,
      groups: [],
    }
  );
}

function displayName({ fullName, username }: LocalUser): string {
  return fullName ?? username;
}

function sortedUsers(users: Users, { search, orderBy }: ListArguments) {
  const matching = users.search(search ?? '');
  if (orderBy != null) {
    const key = SORT_KEYS[orderBy.userField];
    const sign = orderBy.order === 'DESC' ? -1 : 1;
    matching.sort((a, b) => sign * key(a).localeCompare(key(b)));
  }
  return matching.map(userNode);
}

function page(users: readonly unknown[], { pageNumber, pageSize }: PageArguments): unknown {
  if (pageNumber < 1 || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw invalid(`pageNumber must be at least 1, and pageSize must be 1 to ${MAX_PAGE_SIZE}.`);
  }
  const start = (pageNumber - 1) * pageSize;
  const total = Math.ceil(users.length / pageSize);
  return {
    pageInfo: { number: pageNumber, totalNumberOfRows: users.length, total },
    page: users.slice(start, start + pageSize),
  };
}

function idOf(users: Users, username: string): string {
  const user = users.findBy('username', username);
  if (user !== undefined) return user.id;
  throw missing('There is no user with this user name.', 'username');
}
