import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { resourceId } from './resource-id.ts';
import { type SavedList, savedList } from './saved-list.ts';

/** What can be set on a parser. */
export interface ParserDetails {
  readonly name?: string | undefined;
  /** In the query language; run on each event. */
  readonly script?: string | undefined;
  /** Fields that become tags after the script. */
  readonly fieldsToTag?: readonly string[] | undefined;
  /** Fields of the client that are gone before the script. */
  readonly fieldsToBeRemovedBeforeParsing?: readonly string[] | undefined;
  /** Any JSON; the server only keeps it. */
  readonly testCases?: readonly unknown[] | undefined;
  readonly description?: string | undefined;
}

/** A parser that a user made. */
export interface SavedParser extends ParserDetails {
  readonly id: string;
  readonly name: string;
  readonly script: string;
}

const MAX_PARSERS = 1_000;
const MAX_NAME_LENGTH = 1000;

/** The parsers of one repository, without the built-in ones. */
export class Parsers {
  readonly #byId = new Map<string, SavedParser>();
  readonly #saved: SavedList<SavedParser>;

  constructor({ folder }: RegistryOptions) {
    this.#saved = savedList(folder, 'parsers.json', ['id', 'name', 'script']);
    for (const parser of this.#saved.load()) this.#byId.set(parser.id, parser);
  }

  list(): SavedParser[] {
    return [...this.#byId.values()];
  }

  get(id: string): SavedParser | undefined {
    return this.#byId.get(id);
  }

  findByName(name: string): SavedParser | undefined {
    for (const parser of this.#byId.values()) if (parser.name === name) return parser;
    return undefined;
  }

  /**
   * @param overwrite replace the parser that has the name already, keeping its id.
   * @throws ResourceError when the name is taken or can't be used.
   */
  create(
    details: ParserDetails & { readonly name: string; readonly script: string },
    { overwrite }: { readonly overwrite: boolean },
  ): SavedParser {
    const existing = this.findByName(details.name);
    if (existing !== undefined && overwrite) return this.update(existing.id, details);
    this.#checkName(details.name);
    if (this.#byId.size >= MAX_PARSERS) {
      throw new ResourceError('tooLarge', `A repository can have at most ${MAX_PARSERS} parsers.`);
    }
    return this.#put({ ...present(details), id: resourceId() });
  }

  /** @throws ResourceError when there is no such parser, or the name is taken or can't be used. */
  update(id: string, details: ParserDetails): SavedParser {
    const parser = this.#require(id);
    if (details.name !== undefined && details.name !== parser.name) this.#checkName(details.name);
    return this.#put({ ...parser, ...present(details) });
  }

  /** @throws ResourceError when there is no such parser. */
  remove(id: string): SavedParser {
    const parser = this.#require(id);
    this.#byId.delete(id);
    this.#save();
    return parser;
  }

  #put(parser: SavedParser): SavedParser {
    this.#byId.set(parser.id, parser);
    this.#save();
    return parser;
  }

  #save(): void {
    this.#saved.save(this.list());
  }

  #require(id: string): SavedParser {
    const parser = this.#byId.get(id);
    if (parser !== undefined) return parser;
    throw new ResourceError('missing', `No parser with id ${JSON.stringify(id.slice(0, 60))}`, {
      id: 'not found',
    });
  }

  #checkName(name: string): void {
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
      throw new ResourceError('invalid', `The name must have 1 to ${MAX_NAME_LENGTH} characters.`, {
        name: 'invalid',
      });
    }
    if (this.findByName(name) !== undefined) {
      throw new ResourceError('conflict', 'A parser with this name already exists.', { name: 'taken' });
    }
  }
}

/** Without what was left out. */
function present<T extends object>(details: T): T {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as T;
}
