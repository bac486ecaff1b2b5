import type { TargetedPointerEvent } from 'preact';

/** Shorter movements are clicks. */
export const DRAG_PX = 4;

/** Moves an element with the pointer that pressed it. Calls `onDrop` when it is released elsewhere. */
export function dragSideways(
  { currentTarget: element, pointerId, clientX: start }: TargetedPointerEvent<HTMLElement>,
  onDrop: (distance: number, element: HTMLElement) => void,
): void {
  let distance = 0;
  element.setPointerCapture(pointerId);
  element.onpointermove = ({ clientX }) => {
    distance = clientX - start;
    element.style.translate = `${distance}px`;
  };
  element.onlostpointercapture = () => {
    element.onpointermove = null;
    element.style.translate = '';
    if (Math.abs(distance) >= DRAG_PX) onDrop(distance, element);
  };
}
