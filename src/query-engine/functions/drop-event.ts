import { defineFilter } from '../signature/function-spec.ts';

/** Drops every event: in a search as the filter `false` does, in a parser for good. */
export const dropEvent = defineFilter({
  name: 'dropEvent',
  uncertain: [
    'In a search it is the filter `false`, so that the next clause of a `case` gets the event; in a parser the event is gone.',
  ],
  parameters: {},
  compile: () => ({
    test(_row, _stored, run) {
      if (run.discards !== undefined) run.discards.count += 1;
      return false;
    },
  }),
});
