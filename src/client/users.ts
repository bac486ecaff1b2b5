import { requireBoolean, requireText } from '../internal/option-checks.ts';
import { type CallOptions, resolveCallOptions } from '../web/call-options.ts';
import { path } from '../web/path.ts';
import type { WebCaller } from '../web/web-caller.ts';
import type { User } from '../wire/users.ts';
import { optionalJson } from './optional-json.ts';

export interface CreateUserOptions extends CallOptions {
  /** May the user administer the whole service? @default false */
  isRoot?: boolean | undefined;
}

export async function getUsers(webCaller: WebCaller, options: CallOptions): Promise<User[]> {
  const response = await webCaller.callRest('GET', 'users', resolveCallOptions('getUsers', options));
  return response.json<User[]>();
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
  const response = await webCaller.callRest('POST', 'users', { ...call, data });
  return response.json<User>();
}

export async function deleteUserById(
  webCaller: WebCaller,
  userId: string,
  options: CallOptions,
): Promise<User | undefined> {
  const call = resolveCallOptions('deleteUserById', options);
  requireText('deleteUserById', 'userId', userId);
  return optionalJson<User>(await webCaller.callRest('DELETE', path`users/${userId}`, call));
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
