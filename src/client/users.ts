import type { CallOptions } from '../core/http/call-options.ts';
import { path } from '../core/http/path.ts';
import { badResponse, type WebResponse } from '../core/http/web-response.ts';
import { requireBoolean, requireText } from '../core/option-checks.ts';
import type { User, UserDetails } from '../core/wire/users.ts';
import { optionalJson } from './optional-json.ts';
import { QueryValidationMethods } from './query-validation.ts';
import {
  type CreateOptions,
  isList,
  type OptionChecks,
  type ResourceCall,
  requireIfExists,
  restOrGraphql,
} from './resource.ts';

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

/** Methods of a client for users. */
export abstract class UserMethods extends QueryValidationMethods {
  /** Returns all users of the service, or those of the organization if the token's access is limited to it. */
  async getUsers(options: CallOptions = {}): Promise<User[]> {
    return listUsers(this.call('getUsers', options));
  }

  /**
   * Returns the user with exactly this email address, or undefined.
   *
   * @example
   * ```ts
   * const user = await client.getUserByEmail('ann@example.com');
   * ```
   */
  async getUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    requireText('getUserByEmail', 'email', email);
    const users = await listUsers(this.call('getUserByEmail', options));
    return users.find((user) => user.email === email);
  }

  /**
   * Creates a user. By default, an existing user stays unchanged. Its ID is `userID`, as in the REST API of the service.
   *
   * @throws LogHTTPException with the code `LOG_EXISTS` if the user exists and `ifExists` is `error`.
   *
   * @example
   * ```ts
   * const { userID } = await client.createUser('ann@example.com');
   * ```
   */
  async createUser(email: string, options: CreateUserOptions = {}): Promise<User> {
    const call = this.call('createUser', options, { isRoot: requireBoolean, ifExists: requireIfExists });
    const data = { isRoot: false, ...call.ownOptions(), ...call.texts({ email }) };
    const { ifExists = 'keep', isRoot } = options;
    // The service itself keeps existing users.
    const users = ifExists === 'keep' ? [] : await listUsers(call);
    const existing = users.find((user) => user.email === email);
    if (existing !== undefined) {
      if (ifExists === 'error') {
        throw call.rejection('LOG_EXISTS', `The user ${JSON.stringify(email)} already exists.`);
      }
      if (isRoot === undefined) return existing;
      await this.updateUser(existing.userID, { ...call.callOptions, isRoot });
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

  /**
   * Deletes a user.
   *
   * @returns the deleted user, or undefined if no user has this email address.
   *
   * @example
   * ```ts
   * await client.deleteUserByEmail('ann@example.com');
   * ```
   */
  async deleteUserByEmail(email: string, options: CallOptions = {}): Promise<User | undefined> {
    requireText('deleteUserByEmail', 'email', email);
    const call = this.call('deleteUserByEmail', options);
    const user = (await listUsers(call)).find((candidate) => candidate.email === email);
    return user && ((await deleteUser(call, user.userID)) ?? user);
  }

  /**
   * Deletes a user.
   *
   * @returns the deleted user, if the service returns it.
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the user does not exist.
   */
  async deleteUserById(userId: string, options: CallOptions = {}): Promise<User | undefined> {
    const call = this.call('deleteUserById', options);
    return deleteUser(call, call.texts({ userId }).userId);
  }

  /** Returns the details of the user with this ID, or undefined. */
  async getUser(userId: string, options: CallOptions = {}): Promise<UserDetails | undefined> {
    const call = this.call('getUser', options);
    const { user } = await call.graphql(GET, { id: call.texts({ userId }).userId });
    return (user as UserDetails | null) ?? undefined;
  }

  /** Returns the user that the token belongs to. */
  async getCurrentUser(options: CallOptions = {}): Promise<UserDetails> {
    return this.call('getCurrentUser', options).part('currentUser', CURRENT);
  }

  /**
   * Updates the given properties of the user with this ID, which is the `id` of the result, as in GraphQL.
   *
   * @throws LogHTTPException with the code `LOG_NOT_FOUND` if the user does not exist, or `LOG_EXISTS` if the user name
   * is already in use.
   */
  async updateUser(userId: string, options: UpdateUserOptions): Promise<UserDetails> {
    const call = this.call('updateUser', options, UPDATE_OPTIONS);
    const input = { ...call.texts({ userId }), ...call.ownOptions() };
    return call.part('updateUserById.user', UPDATE, { input });
  }
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
