/** Whether the service parses a string as a number. */
export function isNumberText(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text);
}

/** A number without an exponent: in an expression, `1e-7` would be a subtraction. */
export function decimalText(number: number | bigint): string {
  const text = String(number);
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  const digits = whole + fraction;
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - whole.length)}${digits}`
    : `${sign}${digits.padEnd(whole.length + shift, '0')}`;
}
