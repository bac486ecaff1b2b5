import { rowAggregate } from '../operators/row-code.ts';
import { defineAggregate } from '../signature/function-spec.ts';

/** The names of all fields that occur, one in a row. */
export const fieldset = defineAggregate({
  name: 'fieldset',
  parameters: {},
  compile: () =>
    rowAggregate({
      columns: () => ['field'],
      open() {
        const names = new Set<string>();
        return {
          push(row) {
            for (const name in row) names.add(name);
          },
          rows: () => [...names].sort().map((name) => ({ field: name })),
        };
      },
    }),
});
