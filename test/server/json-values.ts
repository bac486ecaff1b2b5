import fc from 'fast-check';

/** Nested JSON values built from these names, strings and numbers. */
export function jsonValues(parts: {
  readonly name: fc.Arbitrary<string>;
  readonly text: fc.Arbitrary<string>;
  readonly number: fc.Arbitrary<number>;
}): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      parts.text,
      parts.number,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(parts.name, tie('any'), { maxKeys: 3 }),
    ),
  })).any;
}
