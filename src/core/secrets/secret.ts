import type { SecretKind } from './secret-kinds.ts';

/** A secret that was found. */
export interface Secret {
  /** `undefined` for keys and patterns of the caller. */
  readonly kind: SecretKind | undefined;
  /** For people: `GitHub token`, or the name of the field. */
  readonly name: string;
  /** Whether the name of the field shows it, and not the value itself. */
  readonly isNamed: boolean;
  /** Path of the field, such as `req.headers.authorization`; empty for text. */
  readonly path: string;
  /** Path of the string whose JSON contains the field. */
  readonly jsonPath?: string;
  readonly text: string;
  /** Where it starts in text; `undefined` in JSON. */
  readonly at?: number;
}

/** Returns what replaces a secret, or `undefined` to keep it. */
export type ReplaceSecret = (secret: Secret) => string | undefined;

/** What the name of a field says, or a pattern. */
export type SecretName = Pick<Secret, 'kind' | 'name' | 'isNamed'>;

/** What the name of a field says; `undefined` unless its values are secret. */
export type NameOf = (name: string) => SecretName | undefined;
