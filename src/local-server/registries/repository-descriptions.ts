import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { type SavedList, savedList } from './saved-list.ts';

interface DescribedRepository {
  readonly name: string;
  readonly description: string;
}

const MAX_LENGTH = 10_000;

/** What people wrote about their repositories, by name. */
export class RepositoryDescriptions {
  readonly #byName = new Map<string, string>();
  readonly #saved: SavedList<DescribedRepository>;

  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    this.#saved = savedList(folder, 'repository-descriptions.json', ['name', 'description']);
    for (const { name, description } of this.#saved.load()) this.#byName.set(name, description);
  }

  get(name: string): string | undefined {
    return this.#byName.get(name);
  }

  /** `undefined` takes the description away. */
  set(name: string, description: string | undefined): void {
    if ((description?.length ?? 0) > MAX_LENGTH) {
      throw new ResourceError('invalid', `A description can have at most ${MAX_LENGTH} characters.`);
    }
    if (description === undefined) this.#byName.delete(name);
    else this.#byName.set(name, description);
    this.#saved.save([...this.#byName].map(([name, description]) => ({ name, description })));
  }
}
