import { KQL } from './kql.ts';
import { LOGQL } from './logql.ts';
import { LUCENE } from './lucene.ts';
import type { Mistake } from './mistake.ts';
import { ASSIGNMENTS, CALLS, JQ, SCRIPT, SHELL, TYPOGRAPHY } from './scripts.ts';
import { SPL } from './spl.ts';
import { SQL } from './sql.ts';

/** What people type from other languages, and what they should write. The first that fits counts. */
export const MISTAKES: readonly Mistake[] = [
  ...TYPOGRAPHY,
  ...CALLS,
  ...LOGQL,
  ...SPL,
  ...KQL,
  ...SQL,
  ...JQ,
  ...SHELL,
  ...LUCENE,
  ...SCRIPT,
  ...ASSIGNMENTS,
];
