import type { Fields } from '../event.ts';

/** Marks an event with a string that could not be parsed. */
export function markError(row: Fields, message: string): Fields {
  row['@error'] = 'true';
  row['@error_msg'] = message;
  return row;
}
