import { LogOptionsException } from '../../core/errors.ts';
import { emptyLibrary, finish, type LookupTable, type QueryLibrary } from '../../engine/index.ts';
import { lookupFormat, readTable } from '../lookup-files/lookup-format.ts';
import { ResourceError } from '../registries/resource-error.ts';

/** The text of files and saved queries by name. */
export interface LibraryTexts {
  readonly files?: Readonly<Record<string, string>>;
  readonly savedQueries?: Readonly<Record<string, string>>;
}

/** Lookup files and saved queries that are not on a server. */
export function textLibrary({ files = {}, savedQueries = {} }: LibraryTexts): QueryLibrary {
  const textOf = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
    Object.hasOwn(texts, name) ? texts[name] : undefined;
  return {
    ...emptyLibrary,
    file(name) {
      // Files of packages have a path before the name.
      const own = name.slice(name.lastIndexOf('/') + 1);
      const text = textOf(files, name) ?? textOf(files, own);
      return text === undefined ? undefined : tableOf(own, text);
    },
    fileNames: () => Object.keys(files),
    savedQuery: (name) => textOf(savedQueries, name),
    savedQueryNames: () => Object.keys(savedQueries),
  };
}

function tableOf(name: string, text: string): LookupTable {
  try {
    return finish(readTable(lookupFormat(name), Buffer.from(text)));
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    throw new LogOptionsException(`The lookup file "${name}" is invalid. ${error.message}`);
  }
}
