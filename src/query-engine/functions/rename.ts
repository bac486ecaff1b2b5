import { ChangedTable, computedColumn, missingColumn } from '../columns/changed-table.ts';
import type { EventTable } from '../columns/event-table.ts';
import { stepsInOne, tableStep } from '../operators/field-steps.ts';
import { fieldName, fieldOrPairs } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

type Pair = readonly [from: string, to: string];

/** Gives fields other names. A field that is missing changes nothing. */
export const rename = defineTransform({
  name: 'rename',
  uncertain: ['If the field is missing, an existing target field keeps its value.'],
  parameters: {
    field: required(fieldOrPairs, { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as }, call) {
    const pairs = pairsOf(field, as);
    if (pairs === undefined) {
      const problem =
        as === undefined
          ? 'rename() needs the parameter "as": the new name'
          : 'rename() accepts either pairs of names or one field with "as"';
      return call.fail(problem, 'as');
    }
    return stepsInOne(
      pairs.map((pair) =>
        tableStep((table) => renameField(table, pair), {
          reads: pair,
          columns: (before) => renameColumn(before, pair),
        }),
      ),
    );
  },
});

function pairsOf(field: string | readonly Pair[], as: string | undefined): readonly Pair[] | undefined {
  if (typeof field !== 'string') return as === undefined ? field : undefined;
  return as === undefined ? undefined : [[field, as]];
}

function renameField(table: EventTable, [from, to]: Pair): EventTable {
  if (from === to) return table;
  const [source, target] = [table.column(from), table.column(to)];
  const columns = new Map([
    [from, missingColumn],
    [to, computedColumn((index) => source.at(index) ?? target.at(index))],
  ]);
  return new ChangedTable(table, columns);
}

function renameColumn(
  columns: readonly string[] | undefined,
  [from, to]: Pair,
): readonly string[] | undefined {
  if (!columns?.includes(from) || from === to) return columns;
  return columns.filter((name) => name !== to).map((name) => (name === from ? to : name));
}
