import type { ServerClock } from '../clock.ts';
import { Registry, type RegistryOptions, taken } from './registry.ts';
import { checkLength, invalid, type ResourceError } from './resource-error.ts';
import { resourceId } from './resource-id.ts';

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

export interface UserDetails extends Readonly<Partial<Record<(typeof TEXT_DETAILS)[number], string>>> {
  readonly isRoot?: boolean;
}

export interface LocalUser extends UserDetails {
  readonly id: string;
  readonly username: string;
  readonly isRoot: boolean;
  /** ISO 8601. */
  readonly createdAt: string;
}

const MAX_TEXT_LENGTH = 1000;
const ROOT_USER = { username: 'developer', email: 'developer@localhost', isRoot: true };

/** The users of the local server. The first one, the built-in root user, owns the user token. */
export class Users extends Registry<LocalUser> {
  readonly #rootId: string;
  readonly #clock: ServerClock;

  constructor({ clock, folder }: RegistryOptions) {
    super(folder, { noun: 'user', file: 'users.json', texts: ['id', 'username', 'createdAt'], max: 10_000 });
    this.#clock = clock;
    this.#rootId = (this.list()[0] ?? this.#create(ROOT_USER)).id;
  }

  get root(): LocalUser {
    return this.require(this.#rootId);
  }

  /** The users whose user name, e-mail address or full name contains `text`, ignoring case. */
  search(text: string): LocalUser[] {
    const needle = text.toLowerCase();
    return this.list().filter(({ username, email = '', fullName = '' }) =>
      [username, email, fullName].some((value) => value.toLowerCase().includes(needle)),
    );
  }

  /**
   * Adds a user, or returns the one who already has that e-mail address or user name.
   *
   * @throws ResourceError if both are missing, or a value is invalid
   */
  add(details: UserDetails): LocalUser {
    const checked = checkDetails(details);
    const { email, username = email } = checked;
    if (username === undefined) {
      throw invalid('A user needs an e-mail address or a user name.', 'username');
    }
    const existing = email === undefined ? undefined : this.findBy('email', email);
    return existing ?? this.findBy('username', username) ?? this.#create({ ...checked, username });
  }

  /** @throws ResourceError if there is no such user, or a value is invalid */
  update(id: string, details: UserDetails): LocalUser {
    const user = this.require(id);
    const changes = checkDetails(details);
    if (id === this.#rootId && changes.isRoot === false) throw rootUserStays('must stay root');
    for (const key of ['email', 'username'] as const) {
      const other = changes[key] === undefined ? undefined : this.findBy(key, changes[key]);
      if (other !== undefined && other.id !== id) throw taken(`Another user already has this ${key}.`, key);
    }
    return this.put({ ...user, ...changes });
  }

  /** @throws ResourceError if there is no such user, or it is the built-in one */
  override remove(id: string): LocalUser {
    if (id === this.#rootId) throw rootUserStays("can't be removed");
    return super.remove(id);
  }

  #create(details: UserDetails & { readonly username: string }): LocalUser {
    const createdAt = new Date(this.#clock.now()).toISOString();
    return this.put({ ...details, id: resourceId(), isRoot: details.isRoot ?? false, createdAt });
  }
}

function rootUserStays(what: string): ResourceError {
  return invalid(`The built-in root user ${what}: it owns the user token of this server.`);
}

function checkDetails(details: UserDetails): UserDetails {
  const checked: Record<string, string | boolean> = {};
  for (const key of TEXT_DETAILS) {
    const value = details[key];
    if (value == null) continue;
    checkLength(key, value, MAX_TEXT_LENGTH);
    if ((key === 'username' || key === 'email') && value.trim() === '') {
      throw invalid(`${key} must not be empty.`, key);
    }
    checked[key] = value;
  }
  if (typeof details.isRoot === 'boolean') checked.isRoot = details.isRoot;
  return checked;
}
