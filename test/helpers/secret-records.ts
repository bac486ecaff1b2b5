// cspell:disable: names, and parts of tokens.
/** Generates records that contain secrets, from a seed. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const SECRET_KEYS = [
  ...['ssn', 'customer_name', 'iban', 'pin', 'birthDate', 'Phone', 'tax-id', 'passport', 'address', 'note'],
];

/** Spellings of these and of well-known names. */
const NAMES = [
  ...['ssn', 'SSN', 'customerName', 'CUSTOMER_NAME', 'customer-name', 'iban', 'birth_date', 'phone', 'taxId'],
  ...[
    'password',
    'dbPassword',
    'DB_PASSWORD',
    'client_secret',
    'apiKey',
    'X-Api-Key',
    'authorization',
    'Set-Cookie',
  ],
  ...['http.request.headers.authorization', 'accessToken', 'refresh_token', 'passphrase'],
];
const PLAIN_NAMES = [
  'user',
  'order',
  'items',
  'headers',
  'detail',
  'meta',
  'a b',
  'größe',
  'x',
  'config',
  'data',
];
const PLAIN_TEXTS = [
  'order placed',
  'GET /cart/items?page=2',
  'größer als 5 €',
  'user 4711 logged in',
  '{',
  'a: b',
  '"q"',
  'C:\\temp\\new',
];

const json = JSON.stringify;
const ESC = '\u001b';

/** Records and text in which programs write a name and its secret value. */
export const NAMED_SHAPES: Readonly<Record<string, (name: string, value: string) => string>> = {
  'a field of JSON': (name, value) => json({ id: 1, [name]: value, last: true }),
  'a single field': (name, value) => json({ [name]: value }),
  'a field at depth 3': (name, value) => json({ a: [{ b: { [name]: value } }] }),
  'an array in a field': (name, value) => json({ [name]: [value, value] }),
  'JSON in a string': (name, value) => json({ body: json({ [name]: value }) }),
  'JSON in JSON in a string': (name, value) => json({ body: json({ text: json({ [name]: value }) }) }),
  'a pair with name and value': (name, value) => json({ fields: [{ name, value }] }),
  'a pair with value and key': (name, value) => json({ fields: [{ value, key: name }] }),
  'a list of pairs': (name, value) =>
    json({
      headers: [
        ['host', 'x'],
        [name, value],
      ],
    }),
  rawHeaders: (name, value) => json({ req: { rawHeaders: ['Host', 'x', name, value, 'Accept', '*/*'] } }),
  'name=value': (name, value) => `login ${name}=${value} failed`,
  'name: value': (name, value) => `login ${name}: ${value}`,
  'name => value': (name, value) => `{ ${name} => ${value} }`,
  'a quoted value': (name, value) => `{ ${name}: '${value}' }`,
  'quoted JSON that was cut': (name, value) => `body: {"${name}":"${value}","a`,
  'a query': (name, value) => `GET /cb?a=1&${name}=${value}&b=2 200`,
  'an encoded query': (name, value) => `GET /login?next=%2Fcb%3Fa%3D1%26${name}%3D${value}%26b%3D2 200`,
  'encoded JSON': (name, value) => `GET /cb?state=%7B%22${name}%22%3A%22${value}%22%7D 200`,
  'a colored name and value': (name, value) => `${ESC}[35m${name}${ESC}[39m: ${ESC}[32m'${value}'${ESC}[39m`,
  'a colored message': (name, value) => `${ESC}[32mlogin ${name}=${value}${ESC}[39m`,
  'a color before the name': (name, value) => json({ msg: `${ESC}[1;31m${name}=${value}${ESC}[0m` }),
  'an erased line before the name': (name, value) => `${ESC}[0K${name}=${value}`,
  'an escaped newline before the name': (name, value) => `env:\\n${name}=${value}\\n`,
  'an escaped quote before the name': (name, value) => `got \\u0022${name}\\u0022: \\u0022${value}\\u0022`,
  'an escaped color before the name': (name, value) => `\\x1b[32m${name}=${value}\\x1b[0m`,
  'a percent escape before the name': (name, value) => `q=hello%20${name}=${value}`,
  'a flag and =': (name, value) => `run app --${name}=${value} --verbose`,
  'a flag': (name, value) => `run app --${name} ${value} --verbose`,
  'an element of XML': (name, value) => `<a><${name} Type="x">${value}</${name}></a>`,
};

/** Records and text in which programs write a secret value. */
export const VALUE_SHAPES: Readonly<Record<string, (value: string) => string>> = {
  'a field of JSON': (value) => json({ id: 1, a: value, last: true }),
  'an item of an array': (value) => json([1, { list: ['x', value] }]),
  'JSON in JSON': (value) => json({ body: json({ text: json({ a: value }) }) }),
  'a sentence': (value) => `sent ${value} to the service`,
  'a list': (value) => `first, ${value}, last`,
  'a list without spaces': (value) => `17,${value},abc`,
  'in parentheses': (value) => `sent (${value})`,
  'in quotes': (value) => `sent '${value}' and "${value}"`,
  'behind a name': (value) => `x=${value}`,
  'a colored value': (value) => `sent ${ESC}[32m${value}${ESC}[39m`,
  'a colored value in JSON': (value) => json({ msg: `${ESC}[32m${value}${ESC}[39m` }),
  'an erased line': (value) => `${ESC}[0K${value}`,
  'an escaped newline': (value) => `sent\\n${value}`,
  'an escaped tab': (value) => `sent\\t${value}`,
  'an escaped quote': (value) => `sent \\u0022${value}\\u0022`,
  'an escaped color': (value) => `sent \\x1b[32m${value}\\x1b[0m`,
  'a percent escape': (value) => `q=a%20${value}`,
  'an encoded =': (value) => `q=a%3D${value}`,
};

export interface SecretRecord {
  readonly message: string;
  readonly fields: Record<string, unknown>;
  readonly error: Error | undefined;
  /** Parts of the secrets, of which none may be in any output. */
  readonly secrets: readonly string[];
}

export class SecretRecords {
  #seed: number;
  #secrets: string[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  next(): SecretRecord {
    this.#secrets = [];
    const fields = this.#object(0);
    const message = this.below(3) === 0 ? this.text() : this.#plainText();
    const error = this.below(3) === 0 ? this.#error(0) : undefined;
    if (this.#secrets.length === 0) fields.password = this.#named();
    return { message, fields, error, secrets: this.#secrets };
  }

  below(limit: number): number {
    this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  characters(length: number, from = LETTERS): string {
    return Array.from({ length }, () => from[this.below(from.length)]).join('');
  }

  /** Text with a secret that a pattern finds, or after its name. */
  text(): string {
    const before = this.#plainText();
    const after = this.#plainText();
    const secret = this.below(2) === 0 ? this.#pattern() : this.#nameAndValue();
    return `${before} ${secret} ${after}`;
  }

  #object(depth: number): Record<string, unknown> {
    const members: [string, unknown][] = [];
    for (let index = this.below(4); index >= 0; index--) {
      const isSecret = this.below(4) === 0;
      members.push(
        isSecret ? [this.pick(NAMES), this.#named()] : [this.pick(PLAIN_NAMES), this.#value(depth)],
      );
    }
    return Object.fromEntries(members);
  }

  #value(depth: number): unknown {
    switch (this.below(depth > 4 ? 4 : 9)) {
      case 0:
        return this.below(1_000_000) / 8;
      case 1:
        return this.#plainText();
      case 2:
        return this.text();
      case 3:
        return this.pick([true, false, null]);
      case 4:
        return JSON.stringify(this.#object(depth + 1));
      case 5:
        return `body: ${JSON.stringify(JSON.stringify(this.#object(depth + 1)))}`;
      case 6:
        return [this.#value(depth + 1), this.#object(depth + 1)];
      default:
        return this.#object(depth + 1);
    }
  }

  #error(depth: number): Error {
    const cause = depth < 2 && this.below(2) === 0 ? this.#error(depth + 1) : undefined;
    const error = new Error(this.text(), { cause });
    return Object.assign(error, { config: { headers: { [this.pick(NAMES)]: this.#named() } } });
  }

  /** The value of a field with a secret name. */
  #named(): unknown {
    const text = (): string =>
      this.#secret(`${this.characters(12)}${this.pick(['', '"', "'", '\\', ' ä', '\n'])}`, 12);
    return this.below(4) === 0 ? { a: [text()] } : text();
  }

  #nameAndValue(): string {
    const value = this.#secret(this.characters(14));
    const name = this.pick(['password', 'DB_PASSWORD', 'ssn', 'customerName', 'api-key', 'access_token']);
    return this.pick([
      `${name}=${value}`,
      `${name}: ${value}1`,
      `?a=1&${name}=${value}&b=2`,
      `${name}: '${value}'`,
      `"${name}":"${value}"`,
      `Authorization: Bearer ${value}`,
    ]);
  }

  #pattern(): string {
    const token = (start: string, length: number, from?: string): string =>
      start + this.#secret(this.characters(length, from));
    return this.pick([
      () => token('ghp_', 36),
      () => token('AKIA', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
      () => token('xoxb-', 24),
      () => token('sk_live_', 24),
      () => token('npm_', 36),
      () => token('AIza', 35),
      () =>
        `eyJhbGciOiJIUzI1NiJ9.eyJ${this.#secret(this.characters(30))}.${this.#secret(this.characters(20))}`,
      () => `postgres://app:${this.#secret(this.characters(15))}@db.example/shop`,
      () => `Bearer ${this.#secret(`${this.characters(20)}7`)}`,
      () =>
        `-----BEGIN RSA PRIVATE KEY-----\n${this.#secret(this.characters(48))}\n-----END RSA PRIVATE KEY-----`,
      () =>
        this.#secret(
          this.pick(['4111 1111 1111 1111', '5500005555555559', '378282246310005', '4012-8888-8888-1881']),
        ),
    ])();
  }

  #plainText(): string {
    return this.pick(PLAIN_TEXTS);
  }

  #secret(text: string, length = text.length): string {
    this.#secrets.push(text.slice(0, length));
    return text;
  }
}
