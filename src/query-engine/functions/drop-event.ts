import { defineFilter } from '../signature/function-spec.ts';

/** Drops every event: in a search as the filter `false` does, in a parser for good. */
export const dropEvent = defineFilter({
  name: 'dropEvent',
  uncertain: [
    'In a search, `dropEvent()` acts as the filter `false`, so the next clause of a `case` receives the event. In a parser, it drops the event permanently.',
  ],
  parameters: {},
  compile: () => ({
    test: {
      reads: [],
      over:
        (_table, { discards }) =>
        () => {
          if (discards !== undefined) discards.count += 1;
          return false;
        },
    },
  }),
});
