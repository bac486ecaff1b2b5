import { fieldNames } from '../signature/argument-types.ts';
import { defineTransform, required } from '../signature/function-spec.ts';
import { matchedRowsStep } from '../tables/matched-rows.ts';
import { requireTableMatch, tableMatchParameters } from '../tables/table-match-arguments.ts';

const { strict: _, ignoreCase: __, ...common } = tableMatchParameters;
const parameters = { ...common, field: required(fieldNames, { aliases: ['on'] }) };

/** The old name of `match(strict=false)`: gives events the columns of the row that matches, and keeps them all. */
export const lookup = defineTransform({
  name: 'lookup',
  parameters,
  compile: (args, call) =>
    matchedRowsStep(requireTableMatch({ ...args, ignoreCase: false }, 'string', call), {
      keepOthers: true,
      maxRows: 1,
      lastFirst: false,
    }),
});
