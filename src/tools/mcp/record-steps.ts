import { MAX_PATTERN_LENGTH, VARIABLE_PARTS } from '../../core/records/message-pattern.ts';
import {
  ERROR_MESSAGE_FIELDS,
  LEVEL_FIELDS,
  MESSAGE_FIELDS,
  SERVICE_FIELDS,
} from '../../core/records/record-fields.ts';

/** Level or service of an event that has none. */
export const NONE = 'none';

/** Steps that set `_level` and `_service`, whichever fields the logger uses. */
export const LEVEL_AND_SERVICE = `_level := ${firstOf([...LEVEL_FIELDS, `"${NONE}"`])} | _service := ${firstOf([...SERVICE_FIELDS, `"${NONE}"`])}`;

/**
 * Steps that set `_text`, the first line of the message with the message of its error, and `_pattern`, which similar
 * messages share.
 */
export const MESSAGE_PATTERN = [
  `_message := ${firstOf(MESSAGE_FIELDS)}`,
  `_error := ${firstOf(ERROR_MESSAGE_FIELDS)}`,
  'case { _error = * | test(_message != _error) | _message := format("%s: %s", field=[_message, _error]); * }',
  `regex("^(?<_text>.{0,${MAX_PATTERN_LENGTH}})", field=_message)`,
  `replace(regex=${JSON.stringify(VARIABLE_PARTS)}, flags=i, with="…", field=_text, as=_pattern)`,
].join(' | ');

function firstOf(expressions: readonly string[]): string {
  return `coalesce([${expressions.join(', ')}])`;
}

/** Appends steps to a filter, which may end with a comment. */
export function withSteps(filter: string | undefined, ...steps: readonly string[]): string {
  const first = filter?.trim() ? filter : '*';
  return [first, ...steps].join('\n| ');
}
