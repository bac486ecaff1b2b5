import { requireBoolean, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { UserDetails } from '../wire/users.ts';
import { graphqlPart } from './graphql-part.ts';

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

const TEXT_NAMES = [
  'username',
  'email',
  'fullName',
  'firstName',
  'lastName',
  'company',
  'countryCode',
  'stateCode',
  'picture',
] as const;

const USER_FIELDS = `id username displayName fullName firstName lastName email phoneNumber picture company countryCode
  stateCode isRoot isOrgRoot createdAt`;

const GET = `query GetUser($id: String!) { user(id: $id) { ${USER_FIELDS} } }`;

const CURRENT = `query GetCurrentUser { currentUser { ${USER_FIELDS} } }`;

const UPDATE = `mutation UpdateUser($input: UpdateUserByIdInput!) {
  updateUserById(input: $input) { user { ${USER_FIELDS} } }
}`;

export async function getUser(
  webCaller: WebCaller,
  userId: string,
  options: CallOptions,
): Promise<UserDetails | undefined> {
  const { user } = await webCaller.callGraphql<{ user: UserDetails | null }>({
    ...resolveCallOptions('getUser', options),
    query: GET,
    variables: { id: requireText('getUser', 'userId', userId) },
  });
  return user ?? undefined;
}

export async function getCurrentUser(webCaller: WebCaller, options: CallOptions): Promise<UserDetails> {
  return graphqlPart<UserDetails>(webCaller, 'currentUser', {
    ...resolveCallOptions('getCurrentUser', options),
    query: CURRENT,
  });
}

export async function updateUser(
  webCaller: WebCaller,
  userId: string,
  options: UpdateUserOptions,
): Promise<UserDetails> {
  const owner = 'updateUser';
  const call = resolveCallOptions(owner, options, [...TEXT_NAMES, 'isRoot']);
  const input: Record<string, unknown> = { userId: requireText(owner, 'userId', userId) };
  for (const name of TEXT_NAMES) {
    if (options[name] !== undefined) input[name] = requireText(owner, name, options[name]);
  }
  if (options.isRoot !== undefined) input.isRoot = requireBoolean(owner, 'isRoot', options.isRoot);
  return graphqlPart<UserDetails>(webCaller, 'updateUserById.user', {
    ...call,
    query: UPDATE,
    variables: { input },
  });
}
