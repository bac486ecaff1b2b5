import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { resourceId } from './resource-id.ts';
import { type SavedList, savedList } from './saved-list.ts';

/** What can be set on a saved query. */
export interface SavedQueryDetails {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly queryString?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly isLive?: boolean | undefined;
  readonly widgetType?: string | undefined;
  /** Any JSON; the server only keeps it. */
  readonly options?: unknown;
  readonly labels?: readonly string[] | undefined;
}

/** A query that is kept under a name. */
export interface SavedQuery extends SavedQueryDetails {
  readonly id: string;
  readonly name: string;
  readonly queryString: string;
  readonly start: string;
  readonly end: string;
  readonly isLive: boolean;
}

const MAX_SAVED_QUERIES = 10_000;
/** The service's own limit for the text of a query. */
const MAX_QUERY_LENGTH = 66_000;
const MAX_NAME_LENGTH = 1000;

/** The saved queries of one repository. */
export class SavedQueries {
  readonly #byId = new Map<string, SavedQuery>();
  readonly #saved: SavedList<SavedQuery>;

  constructor({ folder }: RegistryOptions) {
    this.#saved = savedList(folder, 'saved-queries.json', ['id', 'name', 'queryString', 'start', 'end']);
    for (const query of this.#saved.load()) this.#byId.set(query.id, query);
  }

  list(): SavedQuery[] {
    return [...this.#byId.values()];
  }

  get(id: string): SavedQuery | undefined {
    return this.#byId.get(id);
  }

  findByName(name: string): SavedQuery | undefined {
    return this.list().find((query) => query.name === name);
  }

  /** @throws ResourceError when the name is taken, or a value can't be used. */
  create(details: SavedQueryDetails & { readonly name: string; readonly queryString: string }): SavedQuery {
    this.#check(details);
    if (this.#byId.size >= MAX_SAVED_QUERIES) {
      throw new ResourceError(
        'tooLarge',
        `A repository can have at most ${MAX_SAVED_QUERIES} saved queries.`,
      );
    }
    const query: SavedQuery = {
      start: '24hours',
      end: 'now',
      isLive: false,
      ...present(details),
      id: resourceId(),
    };
    this.#byId.set(query.id, query);
    this.#save();
    return query;
  }

  /** @throws ResourceError when there is no such query, the name is taken, or a value can't be used. */
  update(id: string, details: SavedQueryDetails): SavedQuery {
    const query = this.#require(id);
    this.#check(details, id);
    const updated = { ...query, ...present(details) };
    this.#byId.set(id, updated);
    this.#save();
    return updated;
  }

  /** @throws ResourceError when there is no such query. */
  remove(id: string): SavedQuery {
    const query = this.#require(id);
    this.#byId.delete(id);
    this.#save();
    return query;
  }

  #save(): void {
    this.#saved.save(this.list());
  }

  #require(id: string): SavedQuery {
    const query = this.#byId.get(id);
    if (query !== undefined) return query;
    throw new ResourceError('missing', `No saved query with id ${JSON.stringify(id.slice(0, 60))}`, {
      id: 'not found',
    });
  }

  #check({ name, queryString }: SavedQueryDetails, ownId?: string): void {
    if (name !== undefined && name !== null) {
      if (name.trim() === '')
        throw new ResourceError('invalid', 'The name must not be empty.', { name: 'empty' });
      if (name.length > MAX_NAME_LENGTH) {
        throw new ResourceError('invalid', `The name is longer than ${MAX_NAME_LENGTH} characters.`, {
          name: 'too long',
        });
      }
      const other = this.findByName(name);
      if (other !== undefined && other.id !== ownId) {
        throw new ResourceError('conflict', 'A saved query with this name already exists.', {
          name: 'taken',
        });
      }
    }
    if ((queryString?.length ?? 0) > MAX_QUERY_LENGTH) {
      throw new ResourceError('invalid', `The query is longer than ${MAX_QUERY_LENGTH} characters.`, {
        queryString: 'too long',
      });
    }
  }
}

/** GraphQL hands `null` over for a member that was left out on purpose; both mean "as it is". */
function present<T extends object>(details: T): T {
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
}
