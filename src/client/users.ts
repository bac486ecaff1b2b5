import { LogException } from '../core/errors.ts';
import type { CallOptions } from '../core/http/call-options.ts';
import { path } from '../core/http/path.ts';
import { badResponse, type WebResponse } from '../core/http/web-response.ts';
import { requireBoolean, requireText } from '../core/option-checks.ts';
import type { User, UserDetails } from '../core/wire/users.ts';
import { optionalJson } from './optional-json.ts';
import {
  type Api,
  type CreateOptions,
  isList,
  type OptionChecks,
  type ResourceCall,
  requireIfExists,
  unchecked,
} from './resource.ts';
import { restOrGraphql } from './rest-or-graphql.ts';

export interface CreateUserOptions extends CallOptions {
  /** Allows the user to administer the whole service. @default false (unchanged on update) */
  isRoot?: boolean | undefined;
  /**
   * Policy for an existing user with the same email address, as for other resources.
   *
   * @default 'keep'
   */
  ifExists?: CreateOptions['ifExists'];
}

/** Properties of a user to update. */
export interface UpdateUserOptions extends CallOptions {
  /** Login name. */
  username?: string | undefined;
  /** Email address. */
  email?: string | undefined;
  /** Full name. */
  fullName?: string | undefined;
  /** First name. */
  firstName?: string | undefined;
  /** Last name. */
  lastName?: string | undefined;
  /** Name of the user's company. */
  company?: string | undefined;
  /** Two-letter country code (ISO 3166). */
  countryCode?: string | undefined;
  /** State or region code (ISO 3166-2). */
  stateCode?: string | undefined;
  /** URL of the user's picture. */
  picture?: string | undefined;
  /** Allows the user to administer the whole service. */
  isRoot?: boolean | undefined;
}

const UPDATE_OPTIONS: OptionChecks<UpdateUserOptions> = {
  username: requireText,
  email: requireText,
  fullName: requireText,
  firstName: requireText,
  lastName: requireText,
  company: requireText,
  countryCode: requireText,
  stateCode: requireText,
  picture: requireText,
  isRoot: requireBoolean,
};

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

const DETAIL_FIELDS = `id username displayName fullName firstName lastName email phoneNumber picture company countryCode
  stateCode isRoot isOrgRoot createdAt`;

const GET = `query GetUser($id: String!) { user(id: $id) { ${DETAIL_FIELDS} } }`;

const CURRENT = `query GetCurrentUser { currentUser { ${DETAIL_FIELDS} } }`;

const UPDATE = `mutation UpdateUser($input: UpdateUserByIdInput!) {
  updateUserById(input: $input) { user { ${DETAIL_FIELDS} } }
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
  const call = api.call('createUser', options, { isRoot: unchecked, ifExists: requireIfExists });
  call.ownOptions();
  const data = {
    ...call.texts({ email }),
    isRoot: requireBoolean('createUser', 'isRoot', options.isRoot ?? false),
  };
  const { ifExists = 'keep', isRoot } = options;
  // The service itself keeps existing users.
  const existing =
    ifExists === 'keep' ? undefined : (await listUsers(call)).find((user) => user.email === email);
  if (existing !== undefined) {
    if (ifExists === 'error') {
      throw new LogException(`The user ${JSON.stringify(email)} already exists.`, 'LOG_EXISTS');
    }
    if (isRoot === undefined) return existing;
    await updateUser(api, existing.userID, { ...call.callOptions, isRoot });
    return { ...existing, isRoot };
  }
  return restOrGraphql(
    () => call.rest('POST', 'users', (response) => response.json<User>(), { data }),
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

export async function getUser(
  api: Api,
  userId: string,
  options: CallOptions,
): Promise<UserDetails | undefined> {
  const call = api.call('getUser', options);
  const { user } = await call.graphql(GET, { id: call.texts({ userId }).userId });
  return (user as UserDetails | null) ?? undefined;
}

export async function getCurrentUser(api: Api, options: CallOptions): Promise<UserDetails> {
  return api.call('getCurrentUser', options).part('currentUser', CURRENT);
}

export async function updateUser(api: Api, userId: string, options: UpdateUserOptions): Promise<UserDetails> {
  const call = api.call('updateUser', options, UPDATE_OPTIONS);
  const input = { ...call.texts({ userId }), ...call.ownOptions() };
  return call.part('updateUserById.user', UPDATE, { input });
}

function listUsers(call: ResourceCall): Promise<User[]> {
  return restOrGraphql(
    () => call.rest('GET', 'users', usersIn),
    async () => call.listOf<GraphqlUser>(await call.graphql(LIST), 'users').map(restUser),
  );
}

function deleteUser(call: ResourceCall, id: string): Promise<User | undefined> {
  return restOrGraphql(
    () => call.rest('DELETE', path`users/${id}`, optionalJson<User>),
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
