import { version } from '../../../package.json' with { type: 'json' };

/** A problem in a file. Lines and columns count from 1. */
export interface FileProblem {
  readonly path: string;
  readonly level: 'error' | 'warning' | 'note';
  /** What it is about: the name of a test, or the rule. */
  readonly title: string;
  readonly message: string;
  /** @default the title */
  readonly ruleId?: string;
  readonly region: {
    readonly startLine: number;
    readonly startColumn?: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
}

/** Problems in the format of code scanning, SARIF 2.1.0. */
export function sarifLog(problems: readonly FileProblem[]): string {
  const rules = [...new Set(problems.map(({ title, ruleId = title }) => ruleId))].map((id) => ({ id }));
  const driver = { name: 'logclient', version, rules };
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results: problems.map(resultOf) };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function resultOf({ path, title, ruleId = title, level, message, region }: FileProblem): object {
  const uri = encodeURI(path.replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent);
  const physicalLocation = { artifactLocation: { uri }, region };
  const text = ruleId === title ? message : `${title}: ${message}`;
  return { ruleId, level, message: { text }, locations: [{ physicalLocation }] };
}
