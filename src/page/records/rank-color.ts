/** The color for a place among names, as attributes of an element. There are eight. */
export function rankColor(place: number): { readonly style: Readonly<Record<string, string>> } {
  return { style: { '--severity': `var(--rank-${place % 8})` } };
}
