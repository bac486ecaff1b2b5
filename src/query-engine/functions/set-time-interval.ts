import { timeZone } from '../signature/argument-types.ts';
import { defineDefinition, optional, required, withDefault } from '../signature/function-spec.ts';
import { timePoint } from '../tables/sub-query-arguments.ts';

/** Sets the interval of the query, whatever was asked for with it. The time zone counts for these two times alone. */
export const setTimeInterval = defineDefinition({
  name: 'setTimeInterval',
  parameters: {
    start: required(timePoint, { unnamed: true }),
    end: withDefault(timePoint, 'now'),
    timezone: optional(timeZone),
  },
  compile({ start, end, timezone }, call) {
    const { draft } = call.scope;
    if (draft.interval !== undefined) call.fail('setTimeInterval() is only allowed once in a query');
    if (draft.stage !== 'interval') {
      call.fail('setTimeInterval() must be the first step of the query and is not allowed in a subquery');
    }
    draft.interval = { start, end, timeZone: timezone?.name };
    draft.stage = 'tables';
  },
});
