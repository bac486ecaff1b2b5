import type { SlicedWork } from '../../engine/index.ts';
import { invalid } from '../registries/resource-error.ts';
import { readCsv } from './csv-table.ts';
import { readJson } from './json-table.ts';
import type { LookupTable } from './lookup-table.ts';

export type LookupFormat = 'csv' | 'json';

const MAX_NAME_LENGTH = 255;

/**
 * The format of a file by its name, which must be valid in any folder.
 *
 * @throws ResourceError if the name is invalid.
 */
export function lookupFormat(name: string): LookupFormat {
  const problem = nameProblem(name);
  if (problem !== undefined) throw invalid(problem, 'fileName');
  return name.toLowerCase().endsWith('.csv') ? 'csv' : 'json';
}

function nameProblem(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `A file name can have at most ${MAX_NAME_LENGTH} characters.`;
  if (/[/\\]/.test(name))
    return 'A file name must not contain a slash or a backslash: it is a name, not a path.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them.
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'A file name must not contain control characters.';
  if (!/^[^.].*\.(csv|json)$/i.test(name)) return 'A file name must end in .csv or .json.';
  return undefined;
}

/** Reads the rows of a file. @throws ResourceError that says where the content differs from the format */
export function* readTable(format: LookupFormat, content: Uint8Array): SlicedWork<LookupTable> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw invalid('The file is not UTF-8 text.');
  }
  yield;
  return format === 'csv' ? yield* readCsv(text) : readJson(text);
}
