import { requireBoolean, requireText } from '../internal/option-checks.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { UserDetails } from '../wire/users.ts';
import type { Api, OptionChecks } from './resource.ts';

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
  /** Company name. */
  company?: string | undefined;
  /** Two-letter country code (ISO 3166). */
  countryCode?: string | undefined;
  /** State or region code (ISO 3166-2). */
  stateCode?: string | undefined;
  /** URL of a picture. */
  picture?: string | undefined;
  /** True if the user can administer the whole service. */
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

const USER_FIELDS = `id username displayName fullName firstName lastName email phoneNumber picture company countryCode
  stateCode isRoot isOrgRoot createdAt`;

const GET = `query GetUser($id: String!) { user(id: $id) { ${USER_FIELDS} } }`;

const CURRENT = `query GetCurrentUser { currentUser { ${USER_FIELDS} } }`;

const UPDATE = `mutation UpdateUser($input: UpdateUserByIdInput!) {
  updateUserById(input: $input) { user { ${USER_FIELDS} } }
}`;

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
  const input = { ...call.texts({ userId }), ...call.given() };
  return call.part('updateUserById.user', UPDATE, { input });
}
