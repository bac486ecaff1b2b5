import { MAX_QUERY_LENGTH } from '../../language/syntax-tree.ts';
import { checkName, present, Registry, type RegistryOptions } from './registry.ts';
import { checkLength } from './resource-error.ts';
import { resourceId } from './resource-id.ts';

/** Properties of a saved query that clients can set. Missing and `null` members stay unchanged. */
export interface SavedQueryDetails {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly queryString?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly isLive?: boolean | undefined;
  readonly widgetType?: string | undefined;
  readonly options?: unknown;
  readonly labels?: readonly string[] | undefined;
}

export interface NewSavedQuery extends SavedQueryDetails {
  readonly name: string;
  readonly queryString: string;
}

export interface SavedQuery extends NewSavedQuery {
  readonly id: string;
  readonly start: string;
  readonly end: string;
  readonly isLive: boolean;
}

export class SavedQueries extends Registry<SavedQuery> {
  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    const texts = ['id', 'name', 'queryString', 'start', 'end'] as const;
    super(folder, { noun: 'saved query', file: 'saved-queries.json', texts, max: 10_000 });
  }

  /** @throws ResourceError if the name is taken, or a value is invalid */
  create(details: NewSavedQuery): SavedQuery {
    this.#check(details);
    const defaults = { start: '24hours', end: 'now', isLive: false };
    return this.put({ ...defaults, ...present(details), id: resourceId() });
  }

  /** @throws ResourceError if there is no such query, the name is taken, or a value is invalid */
  update(id: string, details: SavedQueryDetails): SavedQuery {
    const query = this.require(id);
    this.#check(details, query);
    return this.put({ ...query, ...(present(details) as Partial<SavedQuery>) });
  }

  #check({ name, queryString }: SavedQueryDetails, own?: SavedQuery): void {
    if (name != null) checkName(this, name, { what: 'A saved query', own });
    checkLength('queryString', queryString, MAX_QUERY_LENGTH);
  }
}
