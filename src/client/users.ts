import { requireBoolean, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import type { WebCaller } from '../web/web-caller.ts';
import { badAnswer, type WebResponse } from '../web/web-response.ts';
import type { User } from '../wire/users.ts';
import { graphqlList, graphqlPart, isList } from './graphql-part.ts';
import { optionalJson } from './optional-json.ts';
import { restOrGraphql } from './rest-or-graphql.ts';

export interface CreateUserOptions extends CallOptions {
  /** Allows the user to administer the whole service. @default false */
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

export async function getUsers(webCaller: WebCaller, options: CallOptions): Promise<User[]> {
  const call = resolveCallOptions('getUsers', options);
  return restOrGraphql(
    async () => usersIn(await webCaller.callRest('GET', 'users', call)),
    async () => {
      const users = await graphqlList<GraphqlUser>(webCaller, 'users', { ...call, query: LIST });
      return users.map(restUser);
    },
  );
}

export async function getUserByEmail(
  webCaller: WebCaller,
  email: string,
  options: CallOptions,
): Promise<User | undefined> {
  requireText('getUserByEmail', 'email', email);
  const users = await getUsers(webCaller, resolveCallOptions('getUserByEmail', options));
  return users.find((user) => user.email === email);
}

export async function createUser(
  webCaller: WebCaller,
  email: string,
  options: CreateUserOptions,
): Promise<User> {
  const call = resolveCallOptions('createUser', options, ['isRoot']);
  const data = {
    email: requireText('createUser', 'email', email),
    isRoot: requireBoolean('createUser', 'isRoot', options.isRoot ?? false),
  };
  return restOrGraphql(
    async () => (await webCaller.callRest('POST', 'users', { ...call, data })).json<User>(),
    async () => {
      const user = await graphqlPart<GraphqlUser>(webCaller, 'addUserV2', {
        ...call,
        query: ADD,
        variables: { input: { username: email, ...data } },
      });
      // Who was invited and has not answered is no user yet, and has nothing but an address.
      return restUser({ ...user, username: email });
    },
  );
}

export async function deleteUserById(
  webCaller: WebCaller,
  userId: string,
  options: CallOptions,
): Promise<User | undefined> {
  const call = resolveCallOptions('deleteUserById', options);
  requireText('deleteUserById', 'userId', userId);
  return restOrGraphql(
    async () => optionalJson<User>(await webCaller.callRest('DELETE', path`users/${userId}`, call)),
    async () => {
      const user = await graphqlPart<GraphqlUser>(webCaller, 'removeUserById.user', {
        ...call,
        query: REMOVE,
        variables: { id: userId },
      });
      return restUser(user);
    },
  );
}

export async function deleteUserByEmail(
  webCaller: WebCaller,
  email: string,
  options: CallOptions,
): Promise<User | undefined> {
  requireText('deleteUserByEmail', 'email', email);
  const call = resolveCallOptions('deleteUserByEmail', options);
  const user = await getUserByEmail(webCaller, email, call);
  return user === undefined ? undefined : ((await deleteUserById(webCaller, user.userID, call)) ?? user);
}

async function usersIn(response: WebResponse): Promise<User[]> {
  const users = await response.json();
  if (isList(users)) return users as User[];
  throw badAnswer(response, `The response to ${response.method} ${response.path} is not a list of users.`);
}

/** A user of GraphQL in the words of REST. */
function restUser({ id, username, email, ...rest }: GraphqlUser): User {
  return { userID: id, email: email ?? username, username, ...rest };
}
