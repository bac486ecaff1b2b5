import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { resourceId } from './resource-id.ts';
import { type SavedList, savedList } from './saved-list.ts';

/** An organization; on a local server it is a name and nothing more. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
}

const MAX_ORGANIZATIONS = 1000;
const MAX_TEXT_LENGTH = 10_000;

/** The organizations of a server. The first one is built in, and everything belongs to it. */
export class Organizations {
  readonly #all: Organization[];
  readonly #saved: SavedList<Organization>;

  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    this.#saved = savedList(folder, 'organizations.json', ['id', 'name']);
    this.#all = this.#saved.load();
    if (this.#all.length === 0)
      this.#all.push({ id: 'SINGLE_ORGANIZATION_ID', name: 'SINGLE_ORGANIZATION_NAME' });
  }

  /** The built-in organization. */
  get own(): Organization {
    return this.#all[0]!;
  }

  list(): Organization[] {
    return [...this.#all];
  }

  /** @throws ResourceError when a value can't be used, or the id is taken. */
  create(details: { name: string; description?: string | undefined; id?: string | undefined }): Organization {
    const { name, description, id = resourceId() } = details;
    if (name.trim() === '')
      throw new ResourceError('invalid', 'The name must not be empty.', { name: 'empty' });
    if ([name, description ?? '', id].some((text) => text.length > MAX_TEXT_LENGTH)) {
      throw new ResourceError('invalid', `Strings can have at most ${MAX_TEXT_LENGTH} characters.`);
    }
    if (this.#all.some((organization) => organization.id === id)) {
      throw new ResourceError('conflict', 'An organization with this id already exists.', { id: 'taken' });
    }
    if (this.#all.length >= MAX_ORGANIZATIONS) {
      throw new ResourceError('tooLarge', `This server can have at most ${MAX_ORGANIZATIONS} organizations.`);
    }
    const organization = { id, name, description };
    this.#all.push(organization);
    this.#saved.save(this.#all);
    return organization;
  }
}
