import { converted } from '../columns/expression.ts';
import { fieldName, integer, oneOf } from '../signature/argument-types.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';

/** Far more digits than real numbers have; parsing very long ones is slow. */
const MAX_DIGITS = 1000;

/** Digits per byte, for number systems in which a byte has a whole number of digits. */
const DIGITS_PER_BYTE: Readonly<Record<number, number>> = { 2: 8, 16: 2 };

/** Parses an unsigned integer. With `endian=little`, its lowest byte comes first. */
export const parseIntFunction = define.value({
  name: 'parseInt',
  output: ({ field }) => field,
  uncertain: ['`endian=little` requires radix 2 or 16.'],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    radix: withDefault(integer({ min: 2, max: 36 }), 16),
    endian: withDefault(oneOf('big', 'little'), 'big'),
  },
  compile({ field, radix, endian }, call) {
    const digitsPerByte = DIGITS_PER_BYTE[radix];
    if (endian === 'little' && digitsPerByte === undefined) {
      call.fail('parseInt() supports endian=little only with radix 2 or 16', 'endian');
    }
    const prefix = new RegExp(radix === 16 ? '^(?:0x|16#)' : `^${radix}#`, 'i');
    return converted(field, (value) => {
      const digits = value.replace(prefix, '');
      const ordered =
        endian === 'little' && digitsPerByte !== undefined ? reverseBytes(digits, digitsPerByte) : digits;
      return readDigits(ordered, radix);
    });
  },
});

function reverseBytes(digits: string, digitsPerByte: number): string {
  const missing = (digitsPerByte - (digits.length % digitsPerByte)) % digitsPerByte;
  const padded = '0'.repeat(missing) + digits;
  let reversed = '';
  for (let end = padded.length; end > 0; end -= digitsPerByte)
    reversed += padded.slice(end - digitsPerByte, end);
  return reversed;
}

function readDigits(digits: string, radix: number): string | undefined {
  const number = Number.parseInt(digits, radix);
  if (digits === '' || digits.length > MAX_DIGITS) return undefined;
  if ([...digits].some((digit) => Number.isNaN(Number.parseInt(digit, radix)))) return undefined;
  if (Number.isSafeInteger(number)) return String(number);
  return String(
    [...digits].reduce((sum, digit) => sum * BigInt(radix) + BigInt(Number.parseInt(digit, radix)), 0n),
  );
}
