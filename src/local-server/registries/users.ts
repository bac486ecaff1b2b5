import type { ServerClock } from '../clock.ts';
import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { resourceId } from './resource-id.ts';
import { type SavedList, savedList } from './saved-list.ts';

/** What can be set on a user. */
export interface UserDetails {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly fullName?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly company?: string | undefined;
  readonly countryCode?: string | undefined;
  readonly stateCode?: string | undefined;
  readonly picture?: string | undefined;
  readonly isRoot?: boolean | undefined;
}

/** A user of the local server. */
export interface LocalUser extends UserDetails {
  readonly id: string;
  readonly username: string;
  readonly isRoot: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Keeps a runaway script from filling the memory. */
const MAX_USERS = 10_000;
const MAX_TEXT_LENGTH = 1000;
const ROOT_USER = { username: 'developer', email: 'developer@localhost', isRoot: true };
const TEXT_DETAILS = [
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

/** The users of the local server; one of them, the built-in root user, owns the user token. */
export class Users {
  readonly #byId = new Map<string, LocalUser>();
  readonly #rootId: string;
  readonly #clock: ServerClock;
  readonly #saved: SavedList<LocalUser>;

  constructor({ clock, folder }: RegistryOptions) {
    this.#clock = clock;
    this.#saved = savedList(folder, 'users.json', ['id', 'username', 'createdAt']);
    for (const user of this.#saved.load()) this.#byId.set(user.id, user);
    // The built-in user is always the first.
    const [first] = this.#byId.values();
    this.#rootId = (first ?? this.#insert(ROOT_USER)).id;
    if (first === undefined) this.#save();
  }

  /** The built-in root user. */
  get root(): LocalUser {
    return this.#byId.get(this.#rootId)!;
  }

  /** All users, or those whose user name, e-mail address or full name contains `search`, whatever the case. */
  list(search = ''): LocalUser[] {
    const needle = search.toLowerCase();
    return [...this.#byId.values()].filter(({ username, email = '', fullName = '' }) =>
      [username, email, fullName].some((text) => text.toLowerCase().includes(needle)),
    );
  }

  get(id: string): LocalUser | undefined {
    return this.#byId.get(id);
  }

  findByEmail(email: string): LocalUser | undefined {
    return this.#find((user) => user.email === email);
  }

  findByUsername(username: string): LocalUser | undefined {
    return this.#find((user) => user.username === username);
  }

  /**
   * Adds a user, or returns the one who already has that e-mail address or user name.
   *
   * @throws ResourceError when neither is given, or a value can't be used.
   */
  add(details: UserDetails): LocalUser {
    const checked = checkDetails(details);
    const username = checked.username ?? checked.email;
    if (username === undefined) {
      throw new ResourceError('invalid', 'A user needs an e-mail address or a user name.', {
        username: 'missing',
      });
    }
    const existing =
      (checked.email === undefined ? undefined : this.findByEmail(checked.email)) ??
      this.findByUsername(username);
    if (existing !== undefined) return existing;
    if (this.#byId.size >= MAX_USERS) {
      throw new ResourceError('tooLarge', `This server can have at most ${MAX_USERS} users.`);
    }
    const user = this.#insert({ ...checked, username });
    this.#save();
    return user;
  }

  /** @throws ResourceError when there is no such user, or a value can't be used. */
  update(id: string, details: UserDetails): LocalUser {
    const user = this.#require(id);
    const changes = checkDetails(details);
    if (id === this.#rootId && changes.isRoot === false) throw rootUserStays('must stay root');
    for (const key of ['email', 'username'] as const) {
      const taken =
        changes[key] !== undefined && this.#find((other) => other.id !== id && other[key] === changes[key]);
      if (taken)
        throw new ResourceError('conflict', `Another user already has this ${key}.`, { [key]: 'taken' });
    }
    const updated = { ...user, ...changes };
    this.#byId.set(id, updated);
    this.#save();
    return updated;
  }

  /** @throws ResourceError when there is no such user, or it is the built-in one. */
  remove(id: string): LocalUser {
    const user = this.#require(id);
    if (id === this.#rootId) throw rootUserStays("can't be removed");
    this.#byId.delete(id);
    this.#save();
    return user;
  }

  #save(): void {
    this.#saved.save([...this.#byId.values()]);
  }

  #insert(details: UserDetails & { readonly username: string }): LocalUser {
    const createdAt = new Date(this.#clock.now()).toISOString();
    const user: LocalUser = { ...details, id: resourceId(), isRoot: details.isRoot ?? false, createdAt };
    this.#byId.set(user.id, user);
    return user;
  }

  #find(test: (user: LocalUser) => boolean): LocalUser | undefined {
    for (const user of this.#byId.values()) if (test(user)) return user;
    return undefined;
  }

  #require(id: string): LocalUser {
    const user = this.#byId.get(id);
    if (user === undefined)
      throw new ResourceError('missing', 'There is no user with this id.', { id: 'not found' });
    return user;
  }
}

function rootUserStays(what: string): ResourceError {
  return new ResourceError(
    'forbidden',
    `The built-in root user ${what}: it owns the user token of this server.`,
  );
}

/** Keeps the members that are set, and only those that a user has. */
function checkDetails(details: UserDetails): UserDetails {
  const checked: Record<string, string | boolean> = {};
  for (const key of TEXT_DETAILS) {
    const value = details[key];
    if (value === undefined || value === null) continue;
    if (value.length > MAX_TEXT_LENGTH) {
      throw new ResourceError('invalid', `${key} is longer than ${MAX_TEXT_LENGTH} characters.`, {
        [key]: 'too long',
      });
    }
    if ((key === 'username' || key === 'email') && value.trim() === '') {
      throw new ResourceError('invalid', `${key} must not be empty.`, { [key]: 'empty' });
    }
    checked[key] = value;
  }
  if (typeof details.isRoot === 'boolean') checked.isRoot = details.isRoot;
  return checked;
}
