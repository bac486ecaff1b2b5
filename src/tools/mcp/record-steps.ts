import { MAX_PATTERN_LENGTH, VARIABLE_PARTS } from '../../core/records/message-pattern.ts';
import { ERROR_NAMES, ERROR_OBJECTS, membersOf } from '../../core/records/record-error.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from '../../core/records/record-fields.ts';

/** Level or service of an event that has none. */
export const NONE = 'none';

/** Steps that set `_level` and `_service`, whichever fields the logger uses. */
export const LEVEL_AND_SERVICE = `_level := ${firstOf([...LEVEL_FIELDS, `"${NONE}"`])} | _service := ${firstOf([...SERVICE_FIELDS, `"${NONE}"`])}`;

/**
 * Steps that set `_text`, the first line of the message with its error as `Name [code]: message`, and `_pattern`, which
 * similar messages share. The message of an error may start with that of the record: pino appends those of the causes.
 */
export const MESSAGE_PATTERN = [
  `_message := ${firstOf(MESSAGE_FIELDS)}`,
  `_error := ${firstOf([...membersOf(ERROR_OBJECTS, ['message']), 'errorMessage'])}`,
  `_name := ${firstOf([...membersOf(ERROR_OBJECTS, ERROR_NAMES), 'errorType', '"Error"'])}`,
  `_code := ${firstOf(membersOf(ERROR_OBJECTS, ['code']))}`,
  'case { _code = * | _name := format("%s [%s]", field=[_name, _code]); * }',
  'case { _error = * | _title := format("%s: %s", field=[_name, _error]); * }',
  `case { ${[
    '_title != * | *',
    'test(_message == @rawstring) | _message := _title',
    'text:startsWith(_error, substring=_message) | _message := _title',
    'text:contains(_message, substring=_error) | *',
    '* | _message := format("%s: %s", field=[_message, _title])',
  ].join('; ')} }`,
  `regex("^(?<_text>.{0,${MAX_PATTERN_LENGTH}})", field=_message)`,
  `replace(regex=${JSON.stringify(VARIABLE_PARTS)}, with="…", field=_text, as=_pattern)`,
].join(' | ');

function firstOf(expressions: readonly string[]): string {
  return `coalesce([${expressions.join(', ')}])`;
}

/** Appends steps to a filter, which may end with a comment. */
export function withSteps(filter: string | undefined, ...steps: readonly string[]): string {
  const first = filter?.trim() ? filter : '*';
  return [first, ...steps].join('\n| ');
}
