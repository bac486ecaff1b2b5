import { Document, visit } from 'yaml';
import { nearestName } from '../../core/nearest-name.ts';
import type {
  Parser,
  ParserFieldValue,
  ParserOutputAssertions,
  ParserTestCase,
} from '../../core/wire/parsers.ts';
import { YamlValue } from './yaml-document.ts';

/** A parser as the service exports it: one YAML file. */
export interface ParserTemplate extends Omit<Parser, 'id' | 'isBuiltIn' | 'yamlTemplate'> {
  readonly description?: string | undefined;
}

/** A template with the positions of its test cases. */
export interface LocatedParserTemplate extends ParserTemplate {
  /** The line of each test case, counted from 1. */
  readonly testCaseLines: readonly number[];
}

const SCHEMA = 'https://schemas.humio.com/parser/v0.3.0';
const MEMBERS = [
  '$schema',
  'name',
  'description',
  'script',
  'tests',
  'testCases',
  'tagFields',
  'fieldsToBeRemovedBeforeParsing',
];

/**
 * Parses a parser template. The test cases of old templates (`tests`) are lines without assertions.
 *
 * @throws YamlError
 */
export function readParserTemplate(text: string): LocatedParserTemplate {
  const root = YamlValue.parse(text);
  // Other members may be from a newer version of the format.
  for (const [name, value] of root.entries()) {
    const nearest = MEMBERS.includes(name) ? undefined : nearestName(name, MEMBERS);
    if (nearest !== undefined) throw value.error(`is unknown. Did you mean "${nearest}"?`);
  }
  const script = root.get('script');
  if (script.text().trim() === '') throw script.error('must not be empty');
  const name = root.get('name');
  if (name.text().trim() === '') throw name.error('must not be empty');
  const lines = root.get('tests').items();
  const cases = root.get('testCases').items();
  return {
    name: name.text(),
    description: root.get('description').optionalText(),
    script: script.text(),
    fieldsToTag: textsOf(root.get('tagFields')),
    fieldsToBeRemovedBeforeParsing: textsOf(root.get('fieldsToBeRemovedBeforeParsing')),
    testCases: [
      ...lines.map((line) => ({ event: { rawString: line.text() }, outputAssertions: [] })),
      ...cases.map(testCaseOf),
    ],
    testCaseLines: [...lines, ...cases].map(({ line }) => line),
  };
}

export function printParserTemplate(parser: ParserTemplate): string {
  const template = {
    name: parser.name,
    ...(parser.description != null && { description: parser.description }),
    fieldsToBeRemovedBeforeParsing: parser.fieldsToBeRemovedBeforeParsing,
    testCases: parser.testCases.map(({ event, outputAssertions }) => ({
      event: { rawString: event.rawString },
      assertions: outputAssertions.map(({ outputEventIndex, assertions }) => ({
        outputEventIndex,
        fieldsNotPresent: assertions.fieldsNotPresent,
        fieldsHaveValues: Object.fromEntries(
          assertions.fieldsHaveValues.map(({ fieldName, expectedValue }) => [fieldName, expectedValue]),
        ),
      })),
    })),
    $schema: SCHEMA,
    script: parser.script,
    tagFields: parser.fieldsToTag,
  };
  const document = new Document(template, { aliasDuplicateObjects: false });
  visit(document, {
    // A block of blank lines would lose the spaces in its first line.
    Scalar(_, node) {
      if (typeof node.value === 'string' && node.value.trim() === '') node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}

function testCaseOf(value: YamlValue): ParserTestCase {
  value.requireMembers(['event', 'assertions']);
  const event = value.get('event');
  event.requireMembers(['rawString']);
  return {
    event: { rawString: event.get('rawString').text() },
    outputAssertions: value.get('assertions').items().map(assertionsOf),
  };
}

function assertionsOf(value: YamlValue): ParserOutputAssertions {
  value.requireMembers(['outputEventIndex', 'fieldsHaveValues', 'fieldsNotPresent']);
  const index = value.get('outputEventIndex');
  const digits = index.optionalText() ?? '0';
  if (!/^\d{1,9}$/.test(digits)) throw index.error(`must be a whole number from 0 (got "${digits}")`);
  return {
    outputEventIndex: Number(digits),
    assertions: {
      fieldsHaveValues: valuesOf(value.get('fieldsHaveValues')),
      fieldsNotPresent: textsOf(value.get('fieldsNotPresent')),
    },
  };
}

function valuesOf(mapping: YamlValue): readonly ParserFieldValue[] {
  if (mapping.isAbsent) return [];
  return mapping.entries().map(([fieldName, value]) => ({ fieldName, expectedValue: value.text() }));
}

function textsOf(list: YamlValue): readonly string[] {
  return list.items().map((item) => item.text());
}
