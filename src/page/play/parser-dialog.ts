import { LOCAL_OPERATIONS } from '../../core/wire/page-operations.ts';
import { byId, copyOnClick, onClick } from './elements.ts';

/** The fields of an event, in order. */
type Fields = readonly { readonly fieldName: string; readonly value: string }[];

/** What a parser makes of each line: an event, several or none. */
type ParsedLines = readonly { readonly line: string; readonly events: readonly Fields[] }[];

/** Runs a parser on pasted lines, and saves the outcome as test cases. */
export function startParserDialog(base: string): void {
  const output = byId('parsed');
  let template = '';
  const run = async (): Promise<void> => {
    const script = byId<HTMLTextAreaElement>('script').value;
    const lines = byId<HTMLTextAreaElement>('lines').value.match(/.*\S.*/g) ?? [];
    try {
      const parsed = await runParser(base, script, lines);
      output.textContent = eventsText(parsed) || 'The parser dropped all events.';
      template = parserTemplate(script, parsed);
    } catch (error) {
      output.textContent = (error as Error).message;
      template = '';
    }
  };
  onClick('test-parser', () => {
    byId<HTMLDialogElement>('parser-dialog').showModal();
    void run();
  });
  onClick('run-parser', () => void run());
  copyOnClick('copy-parser-test', () => template);
}

/** Fields that every event has, and that differ for each run. */
const COMMON = ['@rawstring', '@id', '@ingesttimestamp', '#repo', '#type', '@timezone', '@timestamp.nanos'];

interface TestAnswer {
  readonly errorMessage?: string;
  readonly results: readonly { readonly outputEvents: readonly { readonly fields: Fields }[] }[];
}

/** @throws Error if the parser is invalid */
async function runParser(base: string, script: string, lines: readonly string[]): Promise<ParsedLines> {
  const input = {
    repositoryName: 'checkout',
    parserName: 'my-parser',
    script,
    fieldsToTag: [],
    fieldsToBeRemovedBeforeParsing: [],
    testCases: lines.map((rawString) => ({ event: { rawString } })),
  };
  const body = JSON.stringify({ query: LOCAL_OPERATIONS.testParser, variables: { input } });
  const response = await fetch(`${base}graphql`, { method: 'POST', body });
  const { errorMessage, results }: TestAnswer = (await response.json()).data.testParserV2;
  if (errorMessage !== undefined) throw new Error(errorMessage);
  return results.map(({ outputEvents }, index) => ({
    line: lines[index]!,
    events: outputEvents.map(({ fields }) => fields.filter(({ fieldName }) => !COMMON.includes(fieldName))),
  }));
}

function eventsText(parsed: ParsedLines): string {
  return parsed
    .flatMap(({ events }) => events)
    .map((fields) => fields.map(({ fieldName, value }) => `${fieldName} = ${value}`).join('\n'))
    .join('\n\n');
}

/** A template whose test cases expect what the parser makes of the lines now. JSON strings are valid in YAML. */
function parserTemplate(script: string, parsed: ParsedLines): string {
  return `name: my-parser
$schema: https://schemas.humio.com/parser/v0.3.0
script: |-
${script.replaceAll(/^/gm, '  ')}
testCases:
${parsed
  .map(
    ({ line, events }) => `- event:
    rawString: ${JSON.stringify(line)}
  assertions:
${events.map(assertions).join('')}`,
  )
  .join('')}`;
}

function assertions(fields: Fields, index: number): string {
  const values = fields.map(
    ({ fieldName, value }) => `      ${JSON.stringify(fieldName)}: ${JSON.stringify(value)}\n`,
  );
  return `  - outputEventIndex: ${index}
    fieldsHaveValues:
${values.join('')}`;
}
