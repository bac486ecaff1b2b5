import { tryOr } from '../../core/try-or.ts';
import type { Plan } from '../plan/plan.ts';
import { suggestion } from '../query-library.ts';
import { type ArgumentType, text, textType } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { optional } from '../signature/function-spec.ts';
import { parseTimePoint } from '../time/relative-time.ts';

/** A subquery: `{ status=500 | groupBy(host) }` or a saved query. */
export const subQuery: ArgumentType<Plan> = {
  expects: 'a query in braces: { … }',
  form: { kind: 'query' },
  read(node, scope) {
    if (node.kind === 'Subquery') return scope.subPlan(node.pipeline);
    if (node.kind !== 'SavedQuery') return undefined;
    return scope.subPlan({ kind: 'Pipeline', steps: [node], span: node.span });
  },
};

/** A time such as `now`, `7d`, `1d@d` or epoch milliseconds, validated and kept as text. */
export const timePoint = textType('a time such as 7d, 1d@d, now or epoch milliseconds', (value) =>
  tryOr(undefined, () => {
    parseTimePoint({ value, now: 0, timeZone: 'UTC' });
    return value;
  }),
);

/** Repository and interval of a subquery. Default: those of the query. */
export const placeParameters = {
  start: optional(timePoint),
  end: optional(timePoint),
  view: optional(text, { aliases: ['repo'] }),
} as const;

/** The repository in the argument `view`. @throws QueryError if it doesn't exist. */
export function requireRepository(name: string | undefined, call: CallSite): string | undefined {
  if (name === undefined) return undefined;
  const known = call.scope.library.repositoryNames();
  if (known.includes(name)) return name;
  return call.fail(`There is no repository ${JSON.stringify(name)}${suggestion(name, known)}`, 'view');
}
