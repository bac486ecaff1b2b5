// cspell:disable: parts of logs.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of other languages.
/** Lines of programs without secrets, from a seed. */

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Random parts of lines. */
class Parts {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  number(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  of(characters: string, length: number): string {
    return Array.from({ length }, () => characters[this.number(characters.length)]).join('');
  }

  hex(length: number): string {
    return this.of('0123456789abcdef', length);
  }

  get uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  get ip(): string {
    return `10.${this.number(255)}.${this.number(255)}.${this.number(255)}`;
  }

  get time(): string {
    return new Date(1_790_000_000_000 + this.number(1e9)).toISOString();
  }

  get id(): string {
    return this.of('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 21);
  }

  pick<T>(...list: readonly T[]): T {
    return pick(this.random, list);
  }
}

type Line = (p: Parts) => string | object;

const bunyan = (p: Parts, message: string, more: object = {}): object => {
  return {
    level: 30,
    time: 1_790_000_000_000 + p.number(1e9),
    pid: p.number(9999),
    hostname: `web-${p.number(9)}`,
    ...more,
    msg: message,
  };
};

/** What looks like a secret, in at least 20 variants each, by the reason why it is none. */
export const FALSE_ALARMS: Readonly<Record<string, Line>> = {
  'the name of a secret in AWS': (p) =>
    `${p.pick('fetching', 'GetSecretValue', 'denied:', 'rotated')} arn:aws:secretsmanager:${p.pick('eu-central-1', 'us-east-1')}:123456789012:secret:${p.pick('prod', 'dev')}/db-${p.of('abcXYZ', 6)}`,
  'the name of a secret in a field': (p) =>
    bunyan(p, 'loaded', { secret: `arn:aws:secretsmanager:us-east-1:123456789012:secret:db-${p.hex(6)}` }),
  'a volume in Kubernetes': (p) =>
    p.pick<string | object>(
      bunyan(p, 'mounted', {
        volume: { name: 'tls', secret: { secretName: `tls-${p.hex(5)}`, defaultMode: 420 } },
      }),
      bunyan(p, 'mounted', {
        projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }] },
      }),
      `mounted { name: 'tls', secret: { secretName: 'tls-${p.hex(5)}', optional: false } }`,
    ),
  'a parameter in SQL': (p) =>
    `${p.pick('SELECT id FROM users WHERE', 'UPDATE sessions SET', 'DELETE FROM keys WHERE')} ${p.pick('token', 'password', 'secret', 'api_key')} = ${p.pick('$1', '$2', ':key', ':token', '?', '?1', '%s', '%(token)s', '@p1')}${p.pick('', ' AND id = $3', ';', ')')} -- ${p.number(99)}`,
  'a variable': (p) =>
    `${p.pick('password', 'TOKEN', 'apiKey', 'client_secret')}${p.pick('=', ': ')}${p.pick('${DB_PASSWORD}', '${env.TOKEN}', '{{token}}', '{{ secrets.key }}', '${{ secrets.NPM_TOKEN }}', '$TOKEN', '%s')} ${p.number(99)}`,
  'a variable in a field': (p) =>
    bunyan(p, 'config', { password: p.pick('${DB_PASSWORD}', '{{password}}', '$1', '%s', '$TOKEN') }),
  'a key of a cache': (p) =>
    `hit ${p.pick('cache-key', 'etag-key', 'asset:key', 'object/key', 'row_key')}-${p.hex(32)} in ${p.number(9)} ms`,
  'an address of IPv6': (p) =>
    `${p.pick('http', 'https')}://[${p.pick('::1', 'fe80::1', '::')}]:${p.number(65_535)}/@${p.pick('vite/client', 'fs/app.js', 'id/x')} ${p.number(99)}`,
  'a port before an @': (p) =>
    `http://localhost:${p.number(65_535)}${p.pick('/@vite/client', '?next=a@b', '/#/@me')} 200`,
  'an unexpected token': (p) =>
    `${p.pick('SyntaxError: Unexpected', 'Parse error: unexpected', 'unexpected')} token: ${p.pick('punc', 'name', 'operator', 'keyword', 'string', "'}'", '"x"')}${p.pick('', ' (})', ` (line ${p.number(99)})`)}`,
  'a plan with the name Basic': (p) =>
    `user ${p.number(99)} chose ${p.pick('Basic plan-2026-annual', 'basic subscription-2026', 'Basic tier-12-monthly-v2', 'BASIC_PLAN_2026 Basic edition_2026')}`,
  'a unit of systemd': (p) => `${p.pick('Started', 'Stopped')} user@${p.number(2000)}.service`,
  'a user of Git': (p) => `cloning git@${p.pick('github.com', 'gitlab.com')}:acme/shop-${p.number(99)}.git`,
  'a version of a package': (p) =>
    `+ ${p.pick('react', '@babel/core', 'vite')}@${p.number(20)}.${p.number(9)}.0${p.pick('-rc.beta', '', '.tgz')}`,
  'a position of a page': (p) =>
    bunyan(p, 'page', {
      [p.pick('nextToken', 'pageToken', 'next_page_token', 'continuationToken', 'syncToken')]: p.id,
    }),
  'a token of a model': (p) =>
    bunyan(p, 'completion', {
      eosToken: '</s>',
      tokenType: 'Bearer',
      tokenCount: p.number(999),
      maxTokens: 4096,
    }),
  'a directory': (p) => `PWD=/home/app/${p.hex(4)} OLDPWD=/`,
  'a literal': (p) =>
    bunyan(p, 'login', {
      hasPassword: true,
      token: null,
      secret: '',
      credentials: p.pick<string | boolean>('include', 'omit', 'same-origin', false),
    }),
  'a list of names': (p) =>
    bunyan(p, 'missing fields', {
      fields: p.pick<readonly string[]>(['password', 'email'], ['token', 'id'], ['apiKey', 'region', 'zone']),
    }),
  'a flag in a sentence': (p) =>
    `error ${p.number(99)}: --${p.pick('token', 'password', 'api-key')} ${p.pick('is required', 'must be set', 'requires a value', 'flag is missing')}`,
};

/** Formats of logs. */
export const CLEAN_FORMATS: Readonly<Record<string, Line>> = {
  pino: (p) =>
    bunyan(p, `request ${p.number(9999)} completed`, {
      reqId: p.uuid,
      req: {
        method: 'GET',
        url: `/cart/${p.number(999)}?page=2&sort=asc`,
        headers: { host: 'shop.example', accept: '*/*', 'content-length': '17', etag: `W/"${p.hex(8)}"` },
      },
      res: { statusCode: 200 },
      responseTime: p.number(99),
    }),
  winston: (p) => ({
    level: 'info',
    message: `order ${p.number(9999)} placed`,
    timestamp: p.time,
    traceId: p.hex(32),
    spanId: p.hex(16),
    service: 'shop',
  }),
  'web server': (p) =>
    `${p.ip} - - [10/Oct/2026:13:55:36 +0000] "GET /items/${p.number(9999)}?q=a%20b%26c HTTP/1.1" 200 ${p.number(99_999)} "https://example.com:8080/a" "Mozilla/5.0 (X11; Linux x86_64)"`,
  syslog: (p) =>
    `Nov ${p.number(28) + 1} 10:00:00 web-1 sshd[${p.number(9999)}]: Accepted publickey for deploy from ${p.ip} port ${p.number(65_535)} ssh2: ED25519 SHA256:${p.of('abcdefXYZ0189+/', 43)}`,
  journal: (p) => `Nov 28 10:00:00 web-1 systemd[1]: Started Session ${p.number(99)} of user app.`,
  'Java stack': (p) =>
    `\tat com.example.auth.TokenService.verify(TokenService.java:${p.number(999)}) ~[app-1.2.${p.number(9)}.jar!/:na]`,
  'Node.js stack': (p) =>
    `    at Object.<anonymous> (/app/node_modules/.pnpm/express@4.18.${p.number(9)}/node_modules/express/lib/router/index.js:${p.number(999)}:12)`,
  Python: (p) =>
    `  File "/usr/lib/python3.12/site-packages/requests/auth.py", line ${p.number(999)}, in __call__`,
  SQL: (p) =>
    `Executing (default): SELECT "id", "email" FROM "users" WHERE "id" = ${p.number(9999)} LIMIT 1;`,
  'Next.js': (p) => ` GET /products/${p.number(999)} 200 in ${p.number(999)}ms`,
  npm: (p) =>
    `npm http fetch GET 200 https://packages.example.com/@types%2fnode ${p.number(999)}ms (cache hit)`,
  Docker: (p) => `Digest: sha256:${p.hex(64)}`,
  Kubernetes: (p) =>
    bunyan(p, 'reconciled', {
      controller: 'deployment',
      object: { name: `shop-${p.hex(9)}-${p.hex(5)}`, namespace: 'prod' },
      reconcileID: p.uuid,
    }),
  logfmt: (p) =>
    `ts=${p.time} level=info caller=main.go:${p.number(99)} msg="GET /v1/items" status=200 duration=${p.number(99)}ms trace_id=${p.hex(32)}`,
  OpenTelemetry: (p) => ({
    timeUnixNano: `${17e17 + p.number(1e9)}`,
    severityText: 'INFO',
    body: { stringValue: 'checkout' },
    traceId: p.hex(32),
    spanId: p.hex(16),
  }),
  CloudTrail: (p) => ({
    eventVersion: '1.08',
    eventName: 'AssumeRole',
    sourceIPAddress: p.ip,
    requestParameters: { roleArn: 'arn:aws:iam::123456789012:role/app', durationSeconds: 3600 },
    requestID: p.uuid,
  }),
  'IDs in base64': (p) =>
    bunyan(p, 'stored', { key: `${p.id}=`, etag: `"${p.id}"`, checksum: p.of('ABCDabcd0189+/', 43) }),
  JSON: (p) => ({
    id: '4611686018427387904',
    price: 4111.25,
    ids: [1e15 + p.number(999), 17e8],
    phone: `+49 30 ${p.number(9_999_999)}`,
  }),
  colors: (p) => `\u001b[32minfo\u001b[39m: \u001b[36mrequest ${p.number(9999)} completed\u001b[39m`,
  events: (p) =>
    `Warning  FailedScheduling  pod/shop-${p.hex(9)}  0/${p.number(9)} nodes are available: insufficient memory.`,
};

/** @returns lines of all formats and false alarms in turn, with the title of each. */
export function cleanLines(count: number, random: () => number): (readonly [title: string, line: string])[] {
  const parts = new Parts(random);
  const all = Object.entries({ ...CLEAN_FORMATS, ...FALSE_ALARMS });
  return Array.from({ length: count }, (_, index) => {
    const [title, line] = all[index % all.length]!;
    const value = line(parts);
    return [title, typeof value === 'string' ? value : JSON.stringify(value)] as const;
  });
}
