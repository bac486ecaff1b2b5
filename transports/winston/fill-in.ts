import { format } from 'node:util';
import { tryOr } from '../../src/core/try-or.ts';

/** The tokens of `format.splat()`. */
const TOKEN = /%[scdjifoO%]/g;

/**
 * Fills the values of a log call into its message, as `format.splat()` does, except that only `%j`, `%o` and `%O` stand for
 * an object: `%` may be part of the text, and the object the fields.
 *
 * @returns the text, and the values that are left. None are if the text has no tokens: then winston has merged them.
 */
export function fillIn(text: string, values: readonly unknown[]): { text: string; rest: readonly unknown[] } {
  const tokens = values.length === 0 || !text.includes('%') ? [] : (text.match(TOKEN) ?? []);
  if (tokens.length === 0) return { text, rest: [] };
  const rest = [...values];
  const isUsed = tokens.some((token) => takes(token, values[0]));
  const filled = text.replace(TOKEN, (token) => {
    if (token === '%%') return isUsed ? '%' : token;
    if (rest.length === 0 || !takes(token, rest[0])) return token;
    const value = rest.shift();
    return tryOr(token, () => format(token, value));
  });
  return { text: filled, rest };
}

function takes(token: string, value: unknown): boolean {
  if (token === '%%') return false;
  const isObject = typeof value === 'object' && value !== null;
  return !isObject || token === '%j' || token === '%o' || token === '%O';
}
