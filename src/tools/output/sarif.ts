import { version } from '../../../package.json' with { type: 'json' };

/** A problem in a file. Lines and columns count from 1. */
export interface SarifResult {
  readonly path: string;
  readonly ruleId: string;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly region: {
    readonly startLine: number;
    readonly startColumn?: number;
    readonly endLine?: number;
    readonly endColumn?: number;
  };
}

/** Problems in the format of code scanning, SARIF 2.1.0. */
export function sarifLog(results: readonly SarifResult[]): string {
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({ id }));
  const driver = { name: 'logclient', version, rules };
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results: results.map(resultOf) };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function resultOf({ path, ruleId, level, message, region }: SarifResult): object {
  const uri = encodeURI(path.replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent);
  const physicalLocation = { artifactLocation: { uri }, region };
  return { ruleId, level, message: { text: message }, locations: [{ physicalLocation }] };
}
