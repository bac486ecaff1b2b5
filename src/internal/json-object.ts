/** Whether a value that was parsed from JSON is an object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
