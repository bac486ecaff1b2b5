import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFunction, type FunctionHelp, functionList } from '../../language/index.ts';
import { SKILL } from '../output/skill-folder.ts';

/** The query language in a page, for readers who know others. */
export function languageGuide(): string {
  return readFileSync(join(SKILL, 'references/language.md'), 'utf8');
}

/** The documentation of a function; `undefined` if there is none. */
export function functionPage(name: string): string | undefined {
  const help = describeFunction(name.replace(/\(.*$/s, '').trim());
  if (help === undefined) return undefined;
  const { usage, kind, description, example } = help;
  return [`${usage}  (${kind})`, description, ...parameterLines(help), `Example: ${example}`].join('\n');
}

function parameterLines({ parameters, anyName }: FunctionHelp): readonly string[] {
  if (anyName !== undefined) return [`  any name: ${anyName}`];
  return parameters.map(({ name, expects, isRequired, defaultValue, isUnnamed }) => {
    const notes = [
      ...(isRequired === true ? ['required'] : []),
      ...(defaultValue === undefined ? [] : [`default: ${defaultValue}`]),
      ...(isUnnamed === true ? ['name can be omitted'] : []),
    ];
    return `  ${name}: ${expects}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
  });
}

/** A line for each function whose name or description contains the words, most words first. */
export function findFunctions(topic: string, limit: number): readonly string[] {
  const words = topic
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)
    // "parsing" and "parses" find "parse".
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|es|e|s)$/, '') : word));
  return functionList()
    .map((name) => {
      const { usage, description } = describeFunction(name)!;
      const text = `${name} ${description}`.toLowerCase();
      return {
        line: `${usage}: ${description}`,
        hits: words.filter((word) => text.includes(word)).length,
      };
    })
    .filter(({ hits }) => hits > 0)
    .sort((one, other) => other.hits - one.hits)
    .slice(0, limit)
    .map(({ line }) => line);
}
