import { join } from 'node:path';
import type { Parser } from '../../core/wire/parsers.ts';
import { LogException } from '../../index.ts';
import { readParserTemplate, YamlError } from '../../server/parser-tests/index.ts';
import { CommandFailure, existing, usageFailure } from '../output/command-failure.ts';
import { writeOutputFile } from '../output/output-file.ts';
import type { Call } from './commands/resource.ts';
import { readTemplates, type TemplateFile } from './tests/parser-tests.ts';

/**
 * Creates or updates parsers from YAML templates. All templates are checked before the first request.
 *
 * @throws CommandFailure
 */
export async function pushParsers({ client, signal }: Call, paths: readonly string[]): Promise<Parser[]> {
  const templates = (await readTemplates(paths)).map((template) => ({ ...template, name: nameIn(template) }));
  if (templates.length === 0) throw usageFailure('the folders have no parser templates.');
  const pushed: Parser[] = [];
  for (const { path, name, text } of templates) {
    try {
      pushed.push(await client.createParserFromTemplate(name, text, { ifExists: 'update', signal }));
    } catch (error) {
      if (!(error instanceof LogException && error.code === 'LOG_INVALID')) throw error;
      throw new CommandFailure(`${path}: ${error.message}`);
    }
  }
  return pushed;
}

/** Writes parsers as YAML templates. @throws CommandFailure if there is no such parser */
export async function pullParsers(
  { client, signal, note }: Call,
  names: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const all = names.length > 0 ? [] : await client.listParsers({ signal });
  const chosen = [...names, ...all.filter((each) => !each.isBuiltIn).map(({ name }) => name)];
  for (const name of chosen) {
    const found = await client.getParser(name, { signal });
    const parser = existing(found, `parser "${name}"`, 'parsers', client.repository);
    // Names of parsers can have any character, and those of packages have a slash and a colon.
    const file = join(folder, `${encodeURIComponent(parser.name).replace(/^\./, '%2E')}.yaml`);
    await writeOutputFile(file, parser.yamlTemplate);
    note(`wrote ${file}.`);
  }
  if (chosen.length > 0) return undefined;
  return `the repository "${client.repository}" has no parsers that are not built in.`;
}

function nameIn({ path, text }: TemplateFile): string {
  try {
    return readParserTemplate(text).name;
  } catch (error) {
    if (error instanceof YamlError) throw new CommandFailure(`${path}:${error.line}: ${error.message}`);
    throw error;
  }
}
