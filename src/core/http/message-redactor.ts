import { base64Text } from '../bytes.ts';
import { REDACTED } from '../secrets/secret-kinds.ts';

/** Shorter values are probably ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Removes secrets from text. */
export type RedactText = (text: string) => string;

/** Removes these secrets from messages. @param redactOthers removes other secrets. */
export function messageRedactor(
  secrets: readonly string[],
  redactOthers: RedactText = (text) => text,
): RedactText {
  // A service may echo a token unchanged, inside JSON, inside a URL, or inside a web page.
  const forms = secrets.flatMap((secret) => {
    if (secret.length < MIN_SECRET_LENGTH) return [];
    return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), escapeHtml(secret)];
  });
  // Longest first, because a secret can be part of another.
  const sorted = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) =>
    redactOthers(sorted.reduce((redacted, secret) => redacted.replaceAll(secret, REDACTED), text));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const PUBLIC_HEADER = /^(?:accept|content-(?:type|encoding|length)|user-agent)$/i;

/** Secret parts of a request's headers: all values except those of a few known headers. */
export function secretsOfHeaders(headers: Readonly<Record<string, string>>): string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (PUBLIC_HEADER.test(name)) continue;
    // `Bearer abc`: the token without its scheme is a secret, too.
    const token = value.slice(value.indexOf(' ') + 1);
    secrets.push(value, token);
    if (!/^basic /i.test(value)) continue;
    // User and password, each of which may be a token, together and separately.
    const decoded = base64Text(token);
    const colon = decoded.indexOf(':');
    secrets.push(decoded, decoded.slice(0, Math.max(0, colon)), decoded.slice(colon + 1));
  }
  return secrets;
}
