import type { RegistryOptions } from './registry-options.ts';
import { ResourceError } from './resource-error.ts';
import { newToken } from './resource-id.ts';
import { type SavedList, savedList } from './saved-list.ts';

/** A token that may only ingest, into the repository that it belongs to. */
export interface IngestToken {
  /** Unique within the repository. */
  readonly name: string;
  readonly token: string;
  /** The name of the parser for events that arrive with this token. */
  readonly parser?: string | undefined;
}

export interface NewIngestToken {
  readonly name: string;
  /** A token of the caller's own choice. Default: a random one. */
  readonly token?: string | undefined;
  readonly parser?: string | undefined;
}

const MAX_TOKENS = 10_000;
const MAX_NAME_LENGTH = 1000;

/** The ingest tokens of one repository. */
export class IngestTokens {
  readonly #byName = new Map<string, IngestToken>();
  readonly #byToken = new Map<string, IngestToken>();
  readonly #saved: SavedList<IngestToken>;

  constructor({ folder }: RegistryOptions) {
    this.#saved = savedList(folder, 'ingest-tokens.json', ['name', 'token']);
    for (const token of this.#saved.load()) this.#put(token);
  }

  list(): IngestToken[] {
    return [...this.#byName.values()];
  }

  /** The token with this secret. */
  find(token: string): IngestToken | undefined {
    return this.#byToken.get(token);
  }

  findByName(name: string): IngestToken | undefined {
    return this.#byName.get(name);
  }

  /** @throws ResourceError when the name or the token is taken, or can't be used. */
  add({ name, token = newToken(), parser }: NewIngestToken): IngestToken {
    if (name.trim() === '' || name.length > MAX_NAME_LENGTH) {
      throw new ResourceError('invalid', `The name must have 1 to ${MAX_NAME_LENGTH} characters.`, {
        name: 'invalid',
      });
    }
    if (!/^[\x21-\x7e]{1,1000}$/.test(token)) {
      throw new ResourceError(
        'invalid',
        'A token consists of 1 to 1000 printable ASCII characters without spaces.',
        {
          customToken: 'invalid',
        },
      );
    }
    if (this.#byName.has(name)) {
      throw new ResourceError('conflict', 'An ingest token with this name already exists.', {
        name: 'taken',
      });
    }
    if (this.#byToken.has(token)) {
      throw new ResourceError('conflict', 'This token is already in use.', { customToken: 'taken' });
    }
    if (this.#byName.size >= MAX_TOKENS) {
      throw new ResourceError('tooLarge', `A repository can have at most ${MAX_TOKENS} ingest tokens.`);
    }
    const added: IngestToken = parser === undefined ? { name, token } : { name, token, parser };
    this.#put(added);
    this.#save();
    return added;
  }

  /**
   * Sets the parser of a token; `undefined` takes it off.
   *
   * @throws ResourceError when there is no token of this name.
   */
  assignParser(name: string, parser: string | undefined): IngestToken {
    const { token } = this.#require(name);
    const updated: IngestToken = parser === undefined ? { name, token } : { name, token, parser };
    this.#put(updated);
    this.#save();
    return updated;
  }

  /** @throws ResourceError when there is no token of this name. */
  remove(name: string): IngestToken {
    const removed = this.#require(name);
    this.#byName.delete(name);
    this.#byToken.delete(removed.token);
    this.#save();
    return removed;
  }

  #save(): void {
    this.#saved.save(this.list());
  }

  #put(token: IngestToken): void {
    this.#byName.set(token.name, token);
    this.#byToken.set(token.token, token);
  }

  #require(name: string): IngestToken {
    const token = this.#byName.get(name);
    if (token !== undefined) return token;
    throw new ResourceError('missing', 'There is no ingest token with this name.', { name: 'not found' });
  }
}
