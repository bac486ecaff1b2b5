import type { LookupTable } from '../query-library.ts';
import type { QueryInterval } from '../run/plan.ts';
import type { Preparation } from '../run/preparation.ts';
import type { RunScope } from '../run/run-context.ts';

/** A table that `defineTable` has made. */
export interface DefinedTable {
  /** `undefined` when they are only known once the table is there. */
  readonly headers: readonly string[] | undefined;
  read(run: RunScope): LookupTable;
}

/** What comes together besides steps while a query, or a query inside it, is compiled. */
export class PlanDraft {
  readonly preparations: Preparation[] = [];
  /** What is incomplete about any result. Queries inside a query add to those of the whole. */
  readonly warnings: Set<string>;
  /** By name. Queries inside a query use the tables of the whole. */
  readonly tables: Map<string, DefinedTable>;
  /** What may still come: definitions stand before all steps, the interval before all tables. */
  stage: 'interval' | 'tables' | 'steps';
  interval: QueryInterval | undefined;

  constructor(outer?: PlanDraft) {
    this.warnings = outer?.warnings ?? new Set();
    this.tables = outer?.tables ?? new Map();
    this.stage = outer === undefined ? 'interval' : 'steps';
  }
}
