import { LogOptionsException } from '../../errors.ts';
import { quoted } from './string-text.ts';
import type { ValuePlace } from './value-place.ts';

/** A name that no number, duration or keyword looks like. */
const PLAIN_NAME = /^[A-Za-z_@#][A-Za-z0-9_.@#]*(?:\[\d*\](?:\.?[A-Za-z0-9_.@#]+)?)*$/;
const KEYWORDS = ['true', 'false', 'and', 'or', 'not', 'case', 'match', 'like', 'in'];

/** Functions whose arguments are expressions, where a text in quotes is a text and no field. */
const EXPRESSION_FUNCTIONS = ['array:append', 'coalesce', 'eval', 'getfield', 'if', 'setfield', 'test'];

/** The name of a field as it stands in the text of the query. */
export function fieldText(name: string, { kind, functionName = '', before }: ValuePlace): string {
  const isPlain = PLAIN_NAME.test(name) && !KEYWORDS.includes(name.toLowerCase());
  const isExpressionArgument =
    EXPRESSION_FUNCTIONS.includes(functionName) || functionName.startsWith('text:');
  switch (kind) {
    case 'fieldName':
      return isPlain ? name : quoted(name);
    case 'argument':
      if (isPlain) return name;
      return isExpressionArgument ? `getField(${quoted(name)})` : quoted(name);
    case 'operand':
      return isPlain ? name : `getField(${quoted(name)})`;
    default:
      throw new LogOptionsException(
        `lql: the field after ${JSON.stringify(before)} is in a place where LogScale expects a string: a filter compares a field with a string. Use test(a == b) to compare two fields.`,
      );
  }
}
