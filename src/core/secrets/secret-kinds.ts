/** Replaces secrets, unless the caller has set another text. */
export const REDACTED = '[redacted]';

/** A name of a field with secret values: found at any depth, so it is neither a path nor `name=value`. */
export const SECRET_KEY = /^(?=.*[\p{L}\d])[^.*[\]=]+$/su;

/** Kinds of secrets and personal data that can be switched on and off, and which are found by default. */
export const DEFAULT_KINDS = {
  /** Values of headers with credentials, such as `authorization` and `cookie`, and bearer tokens in text. */
  authorization: true,
  /** Values of fields such as `password`, `clientSecret` and `apiKey`. */
  password: true,
  /** JSON Web Tokens. */
  jwt: true,
  /** Numbers of payment cards, with a valid checksum. */
  cardNumber: true,
  /** Private keys in PEM. */
  privateKey: true,
  /** Passwords in URLs, such as `postgres://user:password@host`. */
  connectionString: true,
  /** Tokens of well-known services, such as AWS, GitHub and Stripe. */
  cloudToken: true,
  /** E-mail addresses. */
  email: false,
};

export type SecretKind = keyof typeof DEFAULT_KINDS;
