/** The fields of what is logged beside a message: an error is `error`, and what has no fields of its own `value`. */
export function fieldsOf(value: unknown = {}, isError: boolean): object {
  if (isError) return { error: value };
  return typeof value !== 'object' || Symbol.iterator in Object(value) ? { value } : Object(value);
}
