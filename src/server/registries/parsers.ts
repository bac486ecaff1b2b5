import type { ParserTestCase } from '../../core/wire/parsers.ts';
import { checkName, present, Registry, type RegistryOptions } from './registry.ts';
import { resourceId } from './resource-id.ts';

/** Properties of a parser that clients can set. Missing and `null` members stay unchanged. */
export interface ParserDetails {
  readonly name?: string | null | undefined;
  /** In the query language; runs on each event. */
  readonly script?: string | null | undefined;
  /** Fields that become tags after the script. */
  readonly fieldsToTag?: readonly string[] | null | undefined;
  /** Fields of the client that are removed before the script. */
  readonly fieldsToBeRemovedBeforeParsing?: readonly string[] | null | undefined;
  readonly testCases?: readonly ParserTestCase[] | null | undefined;
  readonly description?: string | null | undefined;
}

export interface NewParser extends ParserDetails {
  readonly name: string;
  readonly script: string;
}

export interface SavedParser extends NewParser {
  readonly id: string;
  readonly fieldsToTag?: readonly string[];
  readonly fieldsToBeRemovedBeforeParsing?: readonly string[];
}

export class Parsers extends Registry<SavedParser> {
  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    super(folder, { noun: 'parser', file: 'parsers.json', texts: ['id', 'name', 'script'], max: 1_000 });
  }

  /**
   * @param overwrite replaces the parser that already has the name, keeping its ID
   * @throws ResourceError if the name is taken or invalid
   */
  create(details: NewParser, { overwrite }: { readonly overwrite: boolean }): SavedParser {
    const existing = this.findBy('name', details.name);
    if (existing !== undefined && overwrite) return this.update(existing.id, details);
    checkName(this, details.name, { what: 'A parser' });
    return this.put({ ...(present(details) as SavedParser), id: resourceId() });
  }

  /** @throws ResourceError if there is no such parser, or the name is taken or invalid */
  update(id: string, details: ParserDetails): SavedParser {
    const parser = this.require(id);
    if (details.name != null) checkName(this, details.name, { what: 'A parser', own: parser });
    return this.put({ ...parser, ...(present(details) as Partial<SavedParser>) });
  }
}
