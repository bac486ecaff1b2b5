import { defineFilter } from '../function-spec.ts';

/** Drops every event, as the filter `false` does. */
export const dropEvent = defineFilter({
  name: 'dropEvent',
  parameters: {},
  compile: () => ({ test: () => false }),
});
