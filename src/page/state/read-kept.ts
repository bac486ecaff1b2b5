/** Parses a stored value. Returns the initial one if it is not JSON or has another type. Lists keep only strings. */
export function readKept<Value>(text: string | null, initial: Value): Value {
  const value = parsed(text);
  if (Array.isArray(initial)) {
    return Array.isArray(value) ? (value.filter((item) => typeof item === 'string') as Value) : initial;
  }
  return typeof value === typeof initial && value !== null && !Array.isArray(value)
    ? (value as Value)
    : initial;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
