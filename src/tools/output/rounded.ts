/** A number as text, for a person: long fractions are rounded to two decimals, or three digits below 1. */
export function rounded(text: string): string {
  if (!/^-?\d+\.\d{3,}$|^-?\d+(\.\d+)?e-?\d+$/i.test(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return text;
  return Math.abs(value) >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
}
