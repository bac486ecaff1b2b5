import { KQL } from './kql.ts';
import { LOGQL, LUCENE } from './lucene.ts';
import type { Mistake } from './mistake.ts';
import { ASSIGNMENTS, CALLS, JQ, OTHERS, SCRIPT, SHELL, TYPOGRAPHY } from './scripts.ts';
import { SPL } from './spl.ts';
import { SQL } from './sql.ts';

const ALL: readonly Mistake[] = [
  ...TYPOGRAPHY,
  ...CALLS,
  ...OTHERS,
  ...LOGQL,
  ...SPL,
  ...KQL,
  ...SQL,
  ...JQ,
  ...SHELL,
  ...LUCENE,
  ...SCRIPT,
];

const isOperand = ({ place }: Mistake) => place === 'test' || place === 'mark';

/** Operands and operators of a filter. */
export const TESTS: readonly Mistake[] = ALL.filter(isOperand);

/** What people type from other languages, and what they should write. The first that fits counts. */
export const MISTAKES: readonly Mistake[] = [
  ...ALL.filter((one) => !isOperand(one)),
  ...TESTS,
  ...ASSIGNMENTS,
];
