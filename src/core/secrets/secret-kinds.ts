/** Kinds of secrets and personal data that can be switched on and off. */
export type SecretKind =
  /** Values of headers with credentials, such as `authorization` and `cookie`, and bearer tokens in text. */
  | 'authorization'
  /** Values of fields such as `password`, `clientSecret` and `apiKey`. */
  | 'password'
  /** JSON Web Tokens. */
  | 'jwt'
  /** Numbers of payment cards, with a valid checksum. */
  | 'cardNumber'
  /** Private keys in PEM. */
  | 'privateKey'
  /** Passwords in URLs, such as `postgres://user:password@host`. */
  | 'connectionString'
  /** Tokens of well-known services, such as AWS, GitHub and Stripe. */
  | 'cloudToken'
  /** E-mail addresses. */
  | 'email';

/** Which kinds are found by default. */
export const DEFAULT_KINDS: Readonly<Record<SecretKind, boolean>> = {
  authorization: true,
  password: true,
  jwt: true,
  cardNumber: true,
  privateKey: true,
  connectionString: true,
  cloudToken: true,
  email: false,
};
