import type { EventTable } from '../columns/event-table.ts';
import type { Predicate } from '../columns/expression.ts';
import type { RunScope } from '../run/run-context.ts';
import type { CallSite } from '../signature/call-site.ts';

/** Number of bits in a small integer. */
const MAX_FILTERS = 31;

/** The filters of a self-join. Each must match some event of a key. */
export class KeyFilters {
  readonly #filters: readonly Predicate[];
  /** One bit per filter. */
  readonly all: number;

  /** @throws QueryError if there are no filters or too many. */
  constructor(filters: readonly Predicate[], name: string, call: CallSite) {
    if (filters.length === 0 || filters.length > MAX_FILTERS) {
      call.fail(`${name}() accepts 1 to ${MAX_FILTERS} filters`, 'where');
    }
    this.#filters = filters;
    this.all = 2 ** filters.length - 1;
  }

  /** The bits of the filters that match an event. Filters whose bits are in `known` are not evaluated. */
  over(table: EventTable, run: RunScope): (index: number, known?: number) => number {
    const tests = this.#filters.map((filter) => filter.over(table, run));
    return (index, known = 0) => {
      let bits = 0;
      for (let place = 0; place < tests.length; place += 1) {
        const bit = 2 ** place;
        const test = tests[place]!;
        if ((known & bit) === 0 && (typeof test === 'boolean' ? test : test(index))) bits += bit;
      }
      return bits;
    };
  }
}
