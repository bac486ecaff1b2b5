/** `1 record`, `12,345 records`. */
export function amount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `940`, `12.3K`. */
export function compact(count: number): string {
  return COMPACT.format(count);
}
