import type { Preparation } from '../operators/preparation.ts';
import type { QueryInterval } from '../plan/plan.ts';
import type { LookupTable } from '../query-library.ts';
import type { RunScope } from '../run/run-context.ts';

/** A table of `defineTable`. */
export interface DefinedTable {
  /** `undefined` until the table has been computed. */
  readonly headers: readonly string[] | undefined;
  read(run: RunScope): LookupTable;
}

/** What a plan has besides steps, collected during compilation. */
export class PlanDraft {
  readonly preparations: Preparation[] = [];
  /** Why every result is incomplete. Subqueries add theirs to those of the query. */
  readonly warnings: Set<string>;
  /** By name. Subqueries use the tables of the query. */
  readonly tables: Map<string, DefinedTable>;
  /** What may follow: first the interval, then tables, then steps. */
  stage: 'interval' | 'tables' | 'steps';
  interval: QueryInterval | undefined;

  constructor(outer?: PlanDraft) {
    this.warnings = outer?.warnings ?? new Set();
    this.tables = outer?.tables ?? new Map();
    this.stage = outer === undefined ? 'interval' : 'steps';
  }
}
