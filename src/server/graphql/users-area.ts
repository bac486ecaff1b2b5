import { missing } from '../registries/resource-error.ts';
import type { LocalUser, UserDetails, Users } from '../registries/users.ts';
import { type GraphqlArea, type GraphqlContext, type Input, type Optional, sameTypes } from './area.ts';

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

    input AddUserInputV2 {
      username: String! ${DETAILS_SDL} sendInvite: Boolean verificationToken: String isOrgOwner: Boolean
    }

    input AddUserInput { username: String! ${DETAILS_SDL} }
    input UpdateUserByIdInput { userId: String! username: String ${DETAILS_SDL} }
    input RemoveUserInput { username: String! }
    input RemoveUserByIdInput { id: String! }
    ${sameTypes(USER_PAYLOADS, 'user: User!')}

    extend type Query {
      users(search: String): [User!]!
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
    users: ({ search }: { readonly search?: Optional<string> }, { users }) =>
      users.search(search ?? '').map(userNode),
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
      displayName: user.fullName ?? user.username,
      isOrgRoot: user.isRoot,
      groups: [],
    }
  );
}

function idOf(users: Users, username: string): string {
  const user = users.findBy('username', username);
  if (user !== undefined) return user.id;
  throw missing('There is no user with this user name.', 'username');
}
