import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { RowBoundary } from './row-boundary.tsx';

export interface VirtualListProps {
  readonly count: number;
  readonly keyOf: (index: number) => string;
  readonly row: (index: number) => ComponentChildren;
  readonly label: string;
  /** Keeps the last or first row in view when rows are added. */
  readonly sticksTo?: 'end' | 'start' | undefined;
  /** Called when the user scrolls away from the edge, or back to it. */
  readonly onLeaveEdge?: () => void;
  readonly onReachEdge?: () => void;
  /** Called when the edge with the older rows is near. */
  readonly onNearFarEdge?: () => void;
  readonly edge: 'end' | 'start';
  /** Index of a row to scroll to, once. */
  readonly revealed?: number | undefined;
  readonly onRevealed?: () => void;
  readonly header?: ComponentChildren;
  /** Content pinned to the top, above the first visible row. */
  readonly pinned?: (firstVisible: number) => ComponentChildren;
  readonly role: 'list' | 'table';
}

const NEAR_PX = 24;
/** The height of a row until it is measured. */
const ROW_PX = 28;

/** A long list that renders only visible rows. Rows can have any height, which can change. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, row, label, header, role, revealed } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [, render] = useReducer((version: number) => version + 1, 0);
  const virtualizer = useVirtualizer(scroller, props, () => render(0));
  useEdges(scroller, props);
  useStickiness(scroller, props.sticksTo);
  useLayoutEffect(() => {
    if (revealed === undefined || revealed < 0) return;
    virtualizer.scrollToIndex(revealed, { align: 'auto' });
    props.onRevealed?.();
  }, [revealed]);
  const items = virtualizer.getVirtualItems();
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      {props.pinned !== undefined && (
        <div class="pinned" data-below={header === undefined ? undefined : 'header'} aria-hidden="true">
          {props.pinned(virtualizer.range?.startIndex ?? 0)}
        </div>
      )}
      <div role={role} aria-label={label} aria-rowcount={role === 'table' ? count : undefined}>
        {header}
        <div
          class="virtual-space"
          role={role === 'table' ? 'rowgroup' : 'presentation'}
          style={{ height: `${virtualizer.getTotalSize()}px` }}
        >
          <div
            class="virtual-window"
            role="presentation"
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {items.map((item) => (
              <div
                key={item.key}
                data-index={item.index}
                ref={(element) => virtualizer.measureElement(element)}
                role={role === 'list' ? 'listitem' : 'presentation'}
                aria-setsize={role === 'list' ? count : undefined}
                aria-posinset={role === 'list' ? item.index + 1 : undefined}
              >
                <RowBoundary>{row(item.index)}</RowBoundary>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function useVirtualizer(
  scroller: { readonly current: HTMLDivElement | null },
  { count, keyOf, sticksTo }: VirtualListProps,
  onChange: () => void,
): Virtualizer<HTMLDivElement, Element> {
  // Adding older rows above must not move the visible ones.
  const keepsPlace = sticksTo === undefined;
  const kept = useRef<Virtualizer<HTMLDivElement, Element>>(null);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: () => ROW_PX,
    overscan: 12,
    anchorTo: keepsPlace ? ('end' as const) : ('start' as const),
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    measureElement,
    onChange,
  };
  const virtualizer = kept.current ?? new Virtualizer(options);
  kept.current = virtualizer;
  virtualizer.setOptions(options);
  // A list that sticks to its edge scrolls there itself, further than the virtualizer knows.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = keepsPlace ? undefined : () => false;
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

/** Scrolls to the edge after each change, unless the user has just scrolled away from it. */
function useStickiness(
  scroller: { readonly current: HTMLDivElement | null },
  sticksTo: 'end' | 'start' | undefined,
): void {
  const stuckAt = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || sticksTo === undefined) {
      stuckAt.current = undefined;
      return;
    }
    const { scrollTop, scrollHeight, clientHeight } = element;
    const end = sticksTo === 'end' ? scrollHeight - clientHeight : 0;
    const before = stuckAt.current;
    const hasLeft =
      sticksTo === 'end' ? scrollTop < Math.min(before ?? 0, end) - 1 : scrollTop > (before ?? scrollTop) + 1;
    if (hasLeft) return;
    element.scrollTop = end;
    stuckAt.current = element.scrollTop;
  });
}

/** Reports when the user scrolls away from the newest rows, back to them, or to the oldest ones. */
function useEdges(scroller: { readonly current: HTMLDivElement | null }, props: VirtualListProps): void {
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let last = element.scrollTop;
    const onScroll = (): void => {
      const { edge, onLeaveEdge, onReachEdge, onNearFarEdge } = latest.current;
      const { scrollTop, scrollHeight, clientHeight } = element;
      const toEnd = scrollHeight - clientHeight - scrollTop;
      const [near, far] = edge === 'end' ? [toEnd, scrollTop] : [scrollTop, toEnd];
      // Added rows also move the edge, but only the user moves away from it.
      const movedAway = edge === 'end' ? scrollTop < last - 1 : scrollTop > last + 1;
      if (near > NEAR_PX && movedAway) onLeaveEdge?.();
      else if (near <= NEAR_PX && scrollTop !== last) onReachEdge?.();
      if (far < clientHeight && scrollTop !== last) onNearFarEdge?.();
      last = scrollTop;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
}
