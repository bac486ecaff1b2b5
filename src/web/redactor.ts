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

/** A service may give a token back as it came, inside JSON, inside a URL, or inside a web page. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), escapeHtml(secret)];
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
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
    const token = value.slice(value.indexOf(' ') + 1);
    secrets.push(value, token);
    if (/^basic /i.test(value)) secrets.push(...secretsOfBasic(token));
  }
  return secrets;
}

/** User and password, either of which may be a token, together and alone. */
function secretsOfBasic(token: string): string[] {
  const decoded = Buffer.from(token, 'base64').toString();
  const colon = decoded.indexOf(':');
  return [decoded, decoded.slice(0, Math.max(0, colon)), decoded.slice(colon + 1)];
}
