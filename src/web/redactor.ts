const REPLACEMENT = '[redacted]';

/** Shorter values are too likely to be an ordinary word of a message. */
const MIN_SECRET_LENGTH = 6;

/** Takes secrets out of texts that others may see. */
export class Redactor {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    const forms = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH).flatMap(formsOf);
    // The longest first, for one secret can be a part of another.
    this.#secrets = [...new Set(forms)].sort((a, b) => b.length - a.length);
  }

  /** The text with every secret replaced. */
  redact(text: string): string {
    let redacted = text;
    for (const secret of this.#secrets) redacted = redacted.replaceAll(secret, REPLACEMENT);
    return redacted;
  }
}

/** A service may give a token back as it came, inside JSON, or inside a URL. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

const PUBLIC_HEADERS = new Set([
  'accept',
  'content-type',
  'content-encoding',
  'content-length',
  'user-agent',
]);

/** The parts of a request's headers that must not show up anywhere: all values but those of a few known headers. */
export function secretsOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (PUBLIC_HEADERS.has(name.toLowerCase())) continue;
    // `Bearer abc`: the token is a secret without its scheme too.
    secrets.push(value, value.slice(value.indexOf(' ') + 1));
  }
  return secrets;
}
