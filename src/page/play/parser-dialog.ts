import { LOCAL_OPERATIONS } from '../../core/wire/page-operations.ts';
import { button, copyButton, element, openDialog, textField } from './elements.ts';

type Event = Readonly<Record<string, string>>;

/** What a parser makes of lines: the events of each, or why it is invalid. */
type ParserOutcome = { readonly results: readonly (readonly Event[])[] } | { readonly problem: string };

const SCRIPT = `/^(?<client>\\S+) \\S+ \\S+ \\[(?<time>[^\\]]+)\\] "(?<method>\\w+) (?<path>\\S+)/
| findTimestamp(field=time)`;
const LINES = '198.51.100.7 - - [2026-03-02T09:00:00Z] "GET /products/7 HTTP/1.1" 200 4821';

/** Runs a parser on pasted lines, and saves the outcome as test cases. */
export function openParserDialog(base: string): void {
  const [scriptField, script] = textField('Parser', 6, SCRIPT);
  const [linesField, lines] = textField('Lines, one per event', 6, LINES);
  const output = element('output', { className: 'play-output' });
  let outcome: ParserOutcome = { results: [] };
  const run = async (): Promise<void> => {
    outcome = await runParser(base, script.value, linesOf(lines.value));
    const shown =
      'problem' in outcome
        ? outcome.problem
        : outcome.results.map((events) => events.map(eventText).join('\n')).join('\n\n');
    output.textContent = shown || 'The parser dropped all events.';
  };
  const template = (): string =>
    'problem' in outcome
      ? `# ${outcome.problem}`
      : parserTemplate(script.value, linesOf(lines.value), outcome.results);
  const dialog = openDialog(
    'Test a parser',
    scriptField,
    linesField,
    element(
      'p',
      {},
      button('Run the parser', () => void run()),
      ' ',
      copyButton('Copy as parsers test', template),
      ' ',
      button('Close', () => dialog.close()),
    ),
    output,
  );
  void run();
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

type Fields = readonly { readonly fieldName: string; readonly value: string }[];

interface TestAnswer {
  readonly errorMessage?: string;
  readonly results?: readonly { readonly outputEvents: readonly { readonly fields: Fields }[] }[];
}

async function runParser(base: string, script: string, lines: readonly string[]): Promise<ParserOutcome> {
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
  const { errorMessage, results = [] }: TestAnswer = (await response.json()).data.testParserV2;
  if (errorMessage !== undefined) return { problem: errorMessage };
  return {
    results: results.map(({ outputEvents }) =>
      outputEvents.map(({ fields }) =>
        Object.fromEntries(fields.map(({ fieldName, value }) => [fieldName, value])),
      ),
    ),
  };
}

/** Fields that every event has, and that differ for each run. */
const COMMON = ['@rawstring', '@id', '@ingesttimestamp', '#repo', '#type', '@timezone', '@timestamp.nanos'];

function eventText(event: Event): string {
  return Object.entries(fieldsOf(event))
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n');
}

function fieldsOf(event: Event): Event {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !COMMON.includes(name)));
}

/** A template whose test cases expect what the parser makes of the lines now. JSON strings are valid in YAML. */
function parserTemplate(
  script: string,
  lines: readonly string[],
  results: readonly (readonly Event[])[],
): string {
  const cases = lines.flatMap((line, index) => [
    '- event:',
    `    rawString: ${JSON.stringify(line)}`,
    '  assertions:',
    ...(results[index] ?? []).flatMap((event, position) => [
      `  - outputEventIndex: ${position}`,
      '    fieldsHaveValues:',
      ...Object.entries(fieldsOf(event)).map(
        ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
      ),
    ]),
  ]);
  const indented = script.split('\n').map((line) => `  ${line}`);
  return [
    'name: my-parser',
    '$schema: https://schemas.humio.com/parser/v0.3.0',
    'script: |-',
    ...indented,
    'testCases:',
    ...cases,
    '',
  ].join('\n');
}
