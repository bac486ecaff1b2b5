import { requireBoolean, requireText } from '../internal/option-checks.ts';
import type { CallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import { badResponse, type WebResponse } from '../web/web-response.ts';
import type { User } from '../wire/users.ts';
import { optionalJson } from './optional-json.ts';
import { type Api, isList, type ResourceCall, unchecked } from './resource.ts';
import { restOrGraphql } from './rest-or-graphql.ts';

export interface CreateUserOptions extends CallOptions {
  /** True if the user can administer the whole service. @default false */
  isRoot?: boolean | undefined;
}

interface GraphqlUser {
  readonly id: string;
  readonly username: string;
  readonly email?: string | null;
}

const USER_FIELDS = 'id username email fullName displayName isRoot createdAt';

const LIST = `query ListUsers { users { ${USER_FIELDS} } }`;

const ADD = `mutation AddUser($input: AddUserInputV2!) {
  addUserV2(input: $input) { ... on User { ${USER_FIELDS} } ... on PendingUser { id newUserEmail } }
}`;

const REMOVE = `mutation RemoveUser($id: String!) {
  removeUserById(input: { id: $id }) { user { ${USER_FIELDS} } }
}`;

export async function getUsers(api: Api, options: CallOptions): Promise<User[]> {
  return listUsers(api.call('getUsers', options));
}

export async function getUserByEmail(
  api: Api,
  email: string,
  options: CallOptions,
): Promise<User | undefined> {
  requireText('getUserByEmail', 'email', email);
  const users = await listUsers(api.call('getUserByEmail', options));
  return users.find((user) => user.email === email);
}

export async function createUser(api: Api, email: string, options: CreateUserOptions): Promise<User> {
  const call = api.call('createUser', options, { isRoot: unchecked });
  const data = {
    ...call.texts({ email }),
    isRoot: requireBoolean('createUser', 'isRoot', options.isRoot ?? false),
  };
  return restOrGraphql(
    async () => (await call.rest('POST', 'users', { data })).json<User>(),
    async () => {
      const user = await call.part<GraphqlUser>('addUserV2', ADD, { input: { username: email, ...data } });
      // An invited user who has not accepted yet has only an email address.
      return restUser({ ...user, username: email });
    },
  );
}

export async function deleteUserById(
  api: Api,
  userId: string,
  options: CallOptions,
): Promise<User | undefined> {
  const call = api.call('deleteUserById', options);
  return deleteUser(call, call.texts({ userId }).userId);
}

export async function deleteUserByEmail(
  api: Api,
  email: string,
  options: CallOptions,
): Promise<User | undefined> {
  requireText('deleteUserByEmail', 'email', email);
  const call = api.call('deleteUserByEmail', options);
  const user = (await listUsers(call)).find((candidate) => candidate.email === email);
  return user && ((await deleteUser(call, user.userID)) ?? user);
}

function listUsers(call: ResourceCall): Promise<User[]> {
  return restOrGraphql(
    async () => usersIn(await call.rest('GET', 'users')),
    async () => call.listOf<GraphqlUser>(await call.graphql(LIST), 'users').map(restUser),
  );
}

function deleteUser(call: ResourceCall, id: string): Promise<User | undefined> {
  return restOrGraphql(
    async () => optionalJson<User>(await call.rest('DELETE', path`users/${id}`)),
    async () => restUser(await call.part<GraphqlUser>('removeUserById.user', REMOVE, { id })),
  );
}

async function usersIn(response: WebResponse): Promise<User[]> {
  const users = await response.json();
  if (isList(users)) return users as User[];
  throw badResponse(response, 'is not a list of users');
}

/** Converts a GraphQL user to the form of the REST API. */
function restUser({ id, username, email, ...rest }: GraphqlUser): User {
  return { userID: id, email: email ?? username, username, ...rest };
}
