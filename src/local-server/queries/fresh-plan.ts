import type { Plan, QueryLibrary } from '../../query-engine/index.ts';
import { QueryTextError } from '../../query-language/index.ts';

/**
 * The plan of a query that runs again and again: compiled anew when one of its lookup files has changed. A file that
 * is gone, or that the query can't be used with any more, is used as it was.
 */
export class FreshPlan {
  readonly #compile: () => Plan;
  readonly #library: QueryLibrary;
  #plan: Plan;

  constructor(plan: Plan, library: QueryLibrary, compile: () => Plan) {
    this.#plan = plan;
    this.#library = library;
    this.#compile = compile;
  }

  current(): Plan {
    if (!this.#hasChanged()) return this.#plan;
    try {
      this.#plan = this.#compile();
    } catch (error) {
      if (!(error instanceof QueryTextError)) throw error;
    }
    return this.#plan;
  }

  #hasChanged(): boolean {
    for (const [name, table] of this.#plan.files) {
      const current = this.#library.file(name);
      if (current !== undefined && current !== table) return true;
    }
    return false;
  }
}
