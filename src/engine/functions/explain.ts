import { PROFILE_COLUMNS } from '../operators/profile.ts';
import { flag } from '../signature/argument-types.ts';
import { define, withDefault } from '../signature/function-spec.ts';

/** Replaces the result with a table of the steps before it, which `compilePlan` measures. */
export const explainAsTable = define.aggregate({
  name: 'explain:asTable',
  partial: [
    '`showPrefilters` has no effect, because the local server has no prefilters.',
    'Subqueries, such as those of `join()` and `defineTable()`, are not measured.',
  ],
  uncertain: ['The columns after `timeMs` are `eventsIn` and `eventsOut`.', '`stepID` starts at 1.'],
  parameters: { showPrefilters: withDefault(flag, true) },
  compile(_args, call) {
    if (call.scope.caller !== undefined) call.fail('explain:asTable() must be a step of the query');
    return {
      explains: true,
      columns: () => PROFILE_COLUMNS,
      open: () => ({ from: () => undefined, rows: () => [] }),
    };
  },
});
