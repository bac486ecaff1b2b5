import type { Fields } from '../event.ts';

/** Marks an event with a string that could not be parsed. */
export function markError(row: Fields, message: string): void {
  row['@error'] = 'true';
  row['@error_msg'] = message;
}

export function errorFields(message: string): Fields {
  const row: Fields = {};
  markError(row, message);
  return row;
}
