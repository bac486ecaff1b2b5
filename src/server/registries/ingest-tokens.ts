import { TOKEN_TEXT } from '../../core/option-checks.ts';
import { checkName, Registry, type RegistryOptions, taken } from './registry.ts';
import { invalid } from './resource-error.ts';
import { newToken } from './resource-id.ts';

export interface IngestToken {
  /** Unique within the repository. */
  readonly name: string;
  readonly token: string;
  /** Name of the parser for events that arrive with this token. */
  readonly parser?: string | undefined;
}

export interface NewIngestToken extends Omit<IngestToken, 'token'> {
  /** @default a random one */
  readonly token?: string | undefined;
}

export class IngestTokens extends Registry<IngestToken> {
  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    super(folder, {
      noun: 'ingest token',
      file: 'ingest-tokens.json',
      texts: ['name', 'token'],
      max: 10_000,
    });
  }

  /**
   * @param replaced the token whose place it takes
   * @throws ResourceError if the name or the token is taken or invalid
   */
  add({ name, token = newToken(), parser }: NewIngestToken, replaced?: IngestToken): IngestToken {
    checkName(this, name, { what: 'An ingest token', own: replaced });
    if (!TOKEN_TEXT.test(token) || token.length > 1000) {
      const message = 'A token consists of 1 to 1000 printable ASCII characters without spaces.';
      throw invalid(message, 'customToken');
    }
    if (this.findBy('token', token) !== undefined)
      throw taken('This token is already in use.', 'customToken');
    return this.put({ name, token, parser });
  }

  /**
   * Sets the parser of a token; `undefined` removes it.
   *
   * @throws ResourceError if there is no token with this name
   */
  assignParser(name: string, parser: string | undefined): IngestToken {
    return this.put({ ...this.require(name), parser });
  }
}
