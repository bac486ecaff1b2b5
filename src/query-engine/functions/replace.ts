import { readField } from '../event.ts';
import type { Regex } from '../regex/regex.ts';
import { fieldName, regexFlags, regexSource, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';
import { compileRegexArgument } from './regex.ts';

/** Replaces every match of a regular expression in a field. */
export const replace = defineValue({
  name: 'replace',
  uncertain: ['An unknown group in the replacement is an error.'],
  output: ({ field }) => field,
  parameters: {
    regex: required(regexSource, { unnamed: true }),
    with: withDefault(text, '', { aliases: ['replacement'] }),
    field: withDefault(fieldName, '@rawstring'),
    as: optional(fieldName),
    flags: optional(regexFlags),
  },
  compile(args, call) {
    const { field, flags } = args;
    const regex = compileRegexArgument(args.regex, flags, call);
    const substitute = compileReplacement(args.with, regex, call);
    return (row) => {
      const value = readField(row, field);
      return value === undefined ? undefined : regex.replace(value, substitute);
    };
  },
});

type Substitute = (match: readonly (string | undefined)[]) => string;

/** `$1` and `${name}` refer to groups; a backslash takes the next character as it is. */
function compileReplacement(template: string, regex: Regex, call: CallSite): Substitute {
  const pieces: (string | number)[] = [];
  for (const match of template.matchAll(/\\(.?)|\$(\d)|\$\{([^}]+)\}|\$|[^\\$]+/gs)) {
    const [whole, escaped, digit, name] = match;
    if (escaped !== undefined) pieces.push(escaped);
    else if (digit !== undefined) pieces.push(Number(digit));
    else if (name !== undefined) pieces.push(regex.groups.find((group) => group.name === name)?.index ?? -1);
    else if (whole === '$')
      call.fail('In a replacement, $ must be followed by a group number; write a literal $ as \\$', 'with');
    else pieces.push(whole);
  }
  const unknown = pieces.find(
    (piece) => typeof piece === 'number' && (piece < 0 || piece > regex.groupCount),
  );
  if (unknown !== undefined) {
    call.fail('The replacement refers to a group that the regular expression does not have', 'with');
  }
  return (match) =>
    joinTexts(pieces.map((piece) => (typeof piece === 'number' ? (match[piece] ?? '') : piece)));
}
