import type { Fields } from '../event.ts';

/** Says in an event that a text in it could not be read. */
export function markError(row: Fields, message: string): void {
  row['@error'] = 'true';
  row['@error_msg'] = message;
}

/** The fields that say so. */
export function errorFields(message: string): Fields {
  const row: Fields = {};
  markError(row, message);
  return row;
}
