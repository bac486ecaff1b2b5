import { converted } from '../columns/expression.ts';
import { indentJson } from '../formats/json-layout.ts';
import { indentXml } from '../formats/xml-layout.ts';
import { fieldName, flag, integer } from '../signature/argument-types.ts';
import { define, withDefault } from '../signature/function-spec.ts';

/** Pretty-prints JSON. Other text stays unchanged or, with `strict`, gives no result. */
export const jsonPrettyPrint = define.value({
  name: 'json:prettyPrint',
  output: ({ field }) => field,
  uncertain: ['Only the first 200 levels are indented.'],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    step: withDefault(integer({ min: 2, max: 100 }), 2),
    strict: withDefault(flag, false),
  },
  compile({ field, step, strict }) {
    const indentation = ' '.repeat(step);
    return converted(field, (value) => indentJson(value, indentation) ?? (strict ? undefined : value));
  },
});

/** Pretty-prints XML. Other text stays unchanged or, with `strict`, gives no result. */
export const xmlPrettyPrint = define.value({
  name: 'xml:prettyPrint',
  output: ({ field }) => field,
  uncertain: ['Lines break only between tags and text, so a long tag or long text can exceed `width`.'],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    step: withDefault(integer({ min: 0, max: 100 }), 2),
    width: withDefault(integer({ min: 1, max: 100_000 }), 80),
    strict: withDefault(flag, false),
  },
  compile({ field, step, width, strict }) {
    const indentation = ' '.repeat(step);
    return converted(
      field,
      (value) => indentXml(value, { indentation, width }) ?? (strict ? undefined : value),
    );
  },
});
