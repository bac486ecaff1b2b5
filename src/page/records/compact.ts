/** `12,345`. */
export const count = (value: number): string => value.toLocaleString('en');

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `940`, `12.3K`. */
export function compact(count: number): string {
  return COMPACT.format(count);
}
