import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import type { RowSource, SlicedWork } from '../run/sliced-sort.ts';
import { openWindow } from './aggregate-window.ts';
import {
  type Accumulator,
  type AggregateStep,
  allColumns,
  takeEach,
  type WindowAccumulator,
} from './operator.ts';
import { collectRows } from './row-buffer.ts';

/**
 * Several aggregates over the same rows. The result is the Cartesian product of their rows; an aggregate without rows
 * counts as one empty row.
 */
export function aggregateList(members: readonly AggregateStep[]): AggregateStep {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return {
    open: (run) =>
      new OpenList(
        members.map((member) => member.open(run)),
        run,
      ),
    openWindow: (run) =>
      new OpenWindows(
        members.map((member) => openWindow(member, run)),
        run,
      ),
    members,
    feed(table, run) {
      const feeds = members.map((member) => member.feed?.(table, run));
      if (feeds.includes(undefined)) return undefined;
      return {
        take(list: OpenList<Accumulator>, index) {
          for (let place = 0; place < feeds.length; place++) feeds[place]!.take(list.members[place]!, index);
        },
      };
    },
    columns: (before) => allColumns(members.map((member) => member.columns(before))),
  };
}

class OpenList<Member extends Accumulator> implements Accumulator {
  readonly members: readonly Member[];
  readonly #run: RunScope;

  constructor(members: readonly Member[], run: RunScope) {
    this.members = members;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent {
    return takeEach(this.members.map((member) => member.from(table)));
  }

  *rows(): SlicedWork<readonly Fields[]> {
    let combined: readonly Fields[] = [{}];
    for (const member of this.members) {
      const made = member.rows();
      const rows = 'next' in made ? yield* made : made;
      // Nearly all functions have one row.
      if (rows.length === 1 && combined.length === 1) combined = [combine(combined[0]!, rows[0]!, this.#run)];
      else if (rows.length > 0) {
        combined = yield* collectRows(product(combined, rows, this.#run), this.#run);
      }
    }
    return combined;
  }
}

class OpenWindows extends OpenList<WindowAccumulator> implements WindowAccumulator {
  forget(table: EventTable): TakeEvent {
    return takeEach(this.members.map((member) => member.forget(table)));
  }
}

/** A generator, because even moderate results can have a huge product. */
function* product(lefts: readonly Fields[], rights: readonly Fields[], run: RunScope): RowSource {
  let count = 0;
  for (const left of lefts) {
    for (const right of rights) {
      if (++count > MAX_ROWS) {
        run.warn(`The results of several functions have more than ${MAX_ROWS} combinations.`);
        return;
      }
      yield combine(left, right, run);
    }
  }
}

function combine(left: Fields, right: Fields, run: RunScope): Fields {
  const row = copyFields(left);
  for (const name of Object.keys(right)) {
    const value = right[name]!;
    const earlier = readField(row, name);
    if (earlier === undefined) writeField(row, name, value);
    else if (earlier !== value) {
      run.warn(
        `Two functions set the field "${name}" to different values. The first is kept; use "as" to rename one.`,
      );
    }
  }
  return row;
}
