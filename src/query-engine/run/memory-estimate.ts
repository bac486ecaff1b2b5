import type { GroupKey } from '../aggregates/groups.ts';

/** About what a row costs that is held on to. */
export const ROW_BYTES = 400;
/** About what a group costs besides the text of its key. */
const GROUP_BYTES = 300;
/** About what a text costs besides its characters. */
const TEXT_BYTES = 60;

/** About what a group costs, with a simple aggregate in it. */
export function groupBytes(key: GroupKey): number {
  return key.reduce((sum, value) => sum + (value === undefined ? 0 : textBytes(value)), GROUP_BYTES);
}

/** About what a text costs in a set or an array. */
export function textBytes(text: string): number {
  return TEXT_BYTES + text.length;
}
