import { tryOr } from '../../core/try-or.ts';
/** Parses a stored value. Returns the initial one if it is not JSON or has another type. Lists keep only strings. */
export function readKept<Value>(text: string | null, initial: Value): Value {
  const value: unknown = tryOr(undefined, () => (text === null ? undefined : JSON.parse(text)));
  if (Array.isArray(initial)) {
    return Array.isArray(value) ? (value.filter((item) => typeof item === 'string') as Value) : initial;
  }
  return typeof value === typeof initial && value !== null && !Array.isArray(value)
    ? (value as Value)
    : initial;
}
