import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  printParserTemplate,
  readParserTemplate,
  runParserTests,
} from '../../src/server/parser-tests/index.ts';
import { cases } from '../helpers/laws.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/parsers');
const templates = readdirSync(FOLDER).map((name) =>
  readParserTemplate(readFileSync(join(FOLDER, name), 'utf8')),
);

describe.each(templates)('Vendor-style parser $name', (template) => {
  it.each(template.testCases.map((testCase, index) => ({ testCase, index })))(
    'passes test case $index',
    ({ testCase }) => {
      const [result] = runParserTests({ ...template, testCases: [testCase] });
      expect(result!.outputFailures).toEqual([]);
    },
  );

  it('fails when any expected value is changed', () => {
    const testCases = template.testCases.flatMap(({ event, outputAssertions }) =>
      outputAssertions.flatMap(({ outputEventIndex, assertions }) =>
        assertions.fieldsHaveValues.map(({ fieldName, expectedValue }) => {
          const fieldsHaveValues = [{ fieldName, expectedValue: `${expectedValue}x` }];
          return {
            event,
            outputAssertions: [{ outputEventIndex, assertions: { fieldsHaveValues, fieldsNotPresent: [] } }],
          };
        }),
      ),
    );
    const results = runParserTests({ ...template, testCases });
    expect(results.length).toBeGreaterThan(5);
    expect(results.filter(({ outputFailures }) => outputFailures.length === 0)).toEqual([]);
  });
});

describe('Parser template', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab 01:#-[]{}"\'\\|>&*!%@`,.\n\t\r~=?é🎉\u0000\u2028') });
  const name = fc.stringMatching(/^[a-z#@[\]0-9: "']{1,8}$/);
  const fields = fc.dictionary(name, text, { noNullPrototype: true, maxKeys: 4 });
  const testCase = fc.record({
    event: fc.record({ rawString: text }),
    outputAssertions: fc.array(
      fc.record({
        outputEventIndex: fc.nat(5),
        assertions: fc.record({
          fieldsHaveValues: fields.map((values) =>
            Object.entries(values).map(([fieldName, expectedValue]) => ({ fieldName, expectedValue })),
          ),
          fieldsNotPresent: fc.array(text, { maxLength: 2 }),
        }),
      }),
      { maxLength: 2 },
    ),
  });

  it('is unchanged after it is printed and read', () => {
    fc.assert(
      fc.property(
        text.filter((value) => value.trim() !== ''),
        text.filter((value) => value.trim() !== ''),
        fc.array(text, { maxLength: 2 }),
        fc.array(testCase, { maxLength: 3 }),
        (parserName, script, fieldsToTag, testCases) => {
          const template = { name: parserName, script, fieldsToTag, testCases };
          const yaml = printParserTemplate({ ...template, fieldsToBeRemovedBeforeParsing: ['x'] });
          expect(readParserTemplate(yaml)).toMatchObject(template);
        },
      ),
      { ...cases(100), examples: [['a', 'a', [' \n'], []]] },
    );
  });
});
