import type { ReferenceData } from '../engine/index.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { SearchDomain } from './search-domain.ts';
import type { View } from './views/view.ts';
import type { Views } from './views/views.ts';

/** The repositories and views of a server. */
export class SearchDomains {
  readonly repositories: Repositories;
  readonly views: Views;
  /** What the queries of all of them can look up. */
  readonly referenceData: ReferenceData;

  constructor(repositories: Repositories, views: Views, referenceData: ReferenceData) {
    this.repositories = repositories;
    this.views = views;
    this.referenceData = referenceData;
  }

  get(name: string): Repository | View | undefined {
    return this.repositories.get(name) ?? this.views.get(name);
  }

  list(): (Repository | View)[] {
    return [...this.repositories.list(), ...this.views.list()];
  }

  /** Names become folders, and some file systems ignore case. */
  findLike(name: string): SearchDomain | undefined {
    return this.list().find((domain) => domain.name.toLowerCase() === name.toLowerCase());
  }
}
