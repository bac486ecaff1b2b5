import type { HTMLAttributes, JSX, TargetedKeyboardEvent } from 'preact';
import { search, update } from '../state/page-state.ts';
import { arrowStep } from '../widgets/arrow-step.ts';
import { dragSideways } from '../widgets/drag-sideways.ts';

const MIN_WIDTH = 48;
const STEP = 20;

/** The style of the cells of a column with a chosen width. */
export function widthOf(name: string, widths: readonly string[]) {
  const chosen = widths.find((each) => columnOf(each) === name);
  return chosen && { flex: 'none', width: `${Number.parseInt(chosen, 10)}px`, maxWidth: 'none' };
}

function columnOf(width: string): string {
  return width.slice(width.indexOf('.') + 1);
}

function resize(heading: HTMLElement, name: string, change: number): void {
  const width = Math.max(MIN_WIDTH, Math.round(heading.offsetWidth + change));
  const others = search.value.widths.filter((each) => columnOf(each) !== name);
  update({ widths: [...others, `${width}.${name}`] });
}

/** Moves a chosen column to another place among them. */
export function moveColumn(name: string, place: number): void {
  const others = search.value.columns.filter((known) => known !== name);
  update({ columns: others.toSpliced(Math.max(0, place), 0, name) });
}

/** The place of the column to which a heading was dragged. */
export function placeOfDragged(heading: HTMLElement, distance: number): number {
  const { left, width } = heading.getBoundingClientRect();
  const cells = heading.closest('.table-head')!.querySelectorAll('.cell');
  const isBefore = (cell: Element): boolean =>
    cell.getBoundingClientRect().left < left + width / 2 + distance;
  return [...cells].filter(isBefore).length - 1;
}

/** The heading of a column. Its edge can be dragged. The keys ← and → move a chosen column, with Shift they resize it. */
export function ColumnHeading(props: HTMLAttributes<HTMLElement> & { name: string }): JSX.Element {
  const { name, children, ...attributes } = props;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const step = arrowStep(event);
    const place = search.value.columns.indexOf(name);
    const { target, currentTarget } = event;
    if (step === 0) return;
    if (event.shiftKey) resize(currentTarget, name, STEP * step);
    else if (place !== -1) moveColumn(name, place + step);
    // An element that moves loses the focus.
    setTimeout(() => (target as HTMLElement).focus());
  };
  return (
    <span
      class="cell"
      role="columnheader"
      style={widthOf(name, search.value.widths)}
      onKeyDown={onKeyDown}
      {...attributes}
    >
      {children}
      <span
        class="column-edge"
        onPointerDown={(event) =>
          dragSideways(event, (distance, edge) => resize(edge.parentElement!, name, distance))
        }
      />
    </span>
  );
}
