import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import type { Columns, StreamStep } from './operator.ts';

/** Changes a row in place. */
export type Edit = (row: Fields, stored: Fields, run: RunScope) => void;

/** The fields of an edit, when they are known and it looks at nothing in the stored event. */
export interface EditedFields {
  readonly reads: readonly string[] | undefined;
  /** Those that it may write or remove. Without this, any. */
  readonly rewrites?: readonly string[];
}

/** A step that changes each row and hands it on. */
export function editStep(
  edit: Edit,
  columns?: (before: Columns) => Columns,
  { reads, rewrites }: EditedFields = { reads: undefined },
): StreamStep {
  return {
    effect: 'edits',
    reads,
    rewrites,
    keepsAll: true,
    open: (run, emit) => (row, stored) => {
      edit(row, stored, run);
      emit(row, stored);
    },
    ...(columns && { columns }),
  };
}

/** For a step that adds fields whose names are not known beforehand. */
export const unknownColumns = (): Columns => undefined;
