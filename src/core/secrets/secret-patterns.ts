import type { SecretKind } from './secret-kinds.ts';

// cspell:disable: starts of tokens, and names without separators.
/** Normalized names of headers with credentials. */
export const HEADER_NAMES = [
  ...['authorization', 'proxyauthorization', 'xauthorization', 'cookie', 'setcookie'],
  ...['xapikey', 'xauthtoken'],
];

/** Normalized names of other fields with credentials. */
export const PASSWORD_NAMES = ['pwd', 'token', 'credentials', 'connectionstring'];

/** Ends of normalized names of fields with credentials, such as `dbPassword`. */
export const PASSWORD_ENDINGS = [
  ...['password', 'passwd', 'passphrase', 'secret', 'apikey', 'accesskey', 'secretkey', 'privatekey'],
  ...['signingkey', 'encryptionkey', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'sessiontoken'],
];

/**
 * Bytes that text with a secret contains, in any position. A character stands for itself in any case, except: `¹` for a
 * digit, `²` for a character of a token, `³` for any characters of the user and password in a URL, `⁴` for whitespace, which
 * may be escaped, and `⁵` for any number of backslashes.
 */
export type Trigger = string;

export interface SecretPattern {
  readonly kind: SecretKind;
  /** For people; by the text that matches, if it is a function. */
  readonly name: string | ((text: string) => string);
  /** Global. If it has a group, the group is the part before the secret. */
  readonly regex: RegExp;
  readonly triggers: readonly Trigger[];
  /** Further condition. */
  readonly isSecret?: (text: string) => boolean;
}

/** Name, source of a regular expression, triggers. */
const TOKENS: readonly (readonly [name: string, source: string, ...triggers: Trigger[]])[] = [
  [
    'AWS access key',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}',
    ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map(follow('²', 16)),
  ],
  ['Google API key', 'AIza[\\w-]{35}', 'AIza'],
  ['Google OAuth token', 'ya29\\.[\\w-]{20,}', 'ya29.'],
  ['Google client secret', 'GOCSPX-[\\w-]{20,}', 'GOCSPX-'],
  ['GitHub token', 'gh[pousr]_[A-Za-z\\d]{30,}', ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_']],
  ['GitHub token', 'github_pat_\\w{40,}', 'github_pat_'],
  [
    'GitLab token',
    'gl(?:pat|dt|rt|ptt|oas|soat)-[\\w-]{20,}',
    ...['glpat-', 'gldt-', 'glrt-', 'glptt-', 'gloas-', 'glsoat-'],
  ],
  ['Slack token', 'xox[abeoprs]-[\\w-]{10,}', 'xox'],
  ['Slack app token', 'xapp-\\d-[\\w-]{20,}', 'xapp-'],
  ['Slack webhook', 'hooks\\.slack\\.com/(?:services|workflows)/[\\w/]{20,}', 'hooks.slack.com'],
  ['Discord webhook', 'discord(?:app)?\\.com/api/webhooks/\\d+/[\\w-]{40,}', '/api/webhooks/'],
  ['Stripe key', '[sr]k_(?:live|test|prod)_[A-Za-z\\d]{10,}', ...['k_live_', 'k_test_', 'k_prod_']],
  ['Stripe webhook secret', 'whsec_[A-Za-z\\d+/=]{20,}', 'whsec_'],
  ['npm token', 'npm_[A-Za-z\\d]{36}', follow('²', 30)('npm_')],
  ['PyPI token', 'pypi-[\\w-]{50,}', follow('²', 30)('pypi-')],
  ['Docker token', 'dckr_(?:pat|oat)_[\\w-]{20,}', 'dckr_'],
  ['SendGrid key', 'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}', follow('²', 16)('SG.')],
  ['Twilio key', 'SK[\\da-f]{32}', follow('²', 32)('SK')],
  ['Mailgun key', 'key-[\\da-f]{32}', follow('²', 32)('key-')],
  ['Mailchimp key', '[\\da-f]{32}-us\\d{1,2}', '-us¹'],
  ['Anthropic or OpenAI key', 'sk-(?:[a-z]+-)?[\\w-]{32,}', follow('²', 32)('sk-')],
  ['Hugging Face token', 'hf_[A-Za-z\\d]{30,}', follow('²', 30)('hf_')],
  ['DigitalOcean token', 'do[opr]_v1_[a-f\\d]{64}', ...['doo_v1_', 'dop_v1_', 'dor_v1_']],
  ['Shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F\\d]{32}', ...['shpat_', 'shpca_', 'shppa_', 'shpss_']],
  ['Databricks token', 'dapi[a-f\\d]{32}', follow('²', 32)('dapi')],
  ['Vault token', 'hv[sb]\\.[\\w-]{20,}', ...['hvs.', 'hvb.']],
  ['Telegram bot token', '\\d{8,10}:AA[\\w-]{33}', follow('²', 33)(':AA')],
  ['New Relic key', 'NRAK-[A-Z\\d]{27}', 'NRAK-'],
  ['Grafana token', 'gl(?:sa|c)_[\\w=]{30,}', ...['glsa_', 'glc_']],
  ['Postman key', 'PMAK-[a-f\\d]{24}-[a-f\\d]{34}', 'PMAK-'],
  ['Linear key', 'lin_api_[A-Za-z\\d]{40}', 'lin_api_'],
  ['Atlassian token', 'ATATT3[\\w=-]{50,}', 'ATATT3'],
  ['Sentry token', 'sntry[su]_[\\w+/=]{30,}', 'sntry'],
  ['LogScale token', '[A-Za-z\\d]{24,32}~[A-Za-z\\d]{44}', follow('²', 44)('~')],
];

/** Patterns of secrets in text. */
export const PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'privateKey',
    name: 'private key',
    // A key that was cut has no end.
    regex:
      /-----BEGIN[ A-Z\d]{0,40}PRIVATE KEY[ A-Z]{0,10}-----[\s\S]*?(?:-----END[ A-Z\d]{0,40}PRIVATE KEY[ A-Z]{0,10}-----|$)/g,
    triggers: ['PRIVATE KEY'],
  },
  {
    kind: 'jwt',
    name: 'JWT',
    // A header ends where another may start, so that each character is tested once.
    regex: /\beyJ(?:(?!-eyJ)[\w-]){5,}\.(?:eyJ[\w-]+|[\w-]{20,})(?:\.[\w-]*){0,3}/g,
    triggers: ['eyJ'],
  },
  {
    kind: 'connectionString',
    name: 'password in a URL',
    // Digits before a slash are a port.
    regex: /([a-z][a-z\d+.-]{0,30}:(?:\\*\/){2}[^\s:/@?#"'`<>]{0,256}:)(?!\d{1,5}\/)[^\s"'`<>]{1,256}(?=@)/gi,
    triggers: [':⁵/⁵/³@'],
  },
  {
    kind: 'authorization',
    name: 'credentials',
    regex: /\b((?:Bearer|Basic)\s+)(?=[\w.~+/=-]*[\d=])[\w.~+/-]{12,}=*/gi,
    triggers: ['bearer⁴', 'basic⁴'],
  },
  {
    kind: 'cloudToken',
    name: tokenName,
    regex: new RegExp(`(?<![A-Za-z\\d])(?:${TOKENS.map(([, source]) => source).join('|')})`, 'g'),
    triggers: TOKENS.flatMap(([, , ...triggers]) => triggers),
  },
  {
    kind: 'cloudToken',
    name: 'Azure key',
    regex: /(\b(?:AccountKey|SharedAccessKey|sig)=)[\w+/%-]{40,}={0,2}/g,
    triggers: ['AccountKey=', 'AccessKey=', 'sig='],
  },
  {
    kind: 'cardNumber',
    name: 'card number',
    // Longer numbers without separators are nearly always IDs.
    regex:
      /(?<![\da-zA-Z]|\d[.,-])(?:[2-6]\d{12,15}|[2-6]\d{3}(?:([ -])\d{4}\1\d{4}\1\d{1,7}|([ -])\d{6}\2\d{4,5}))(?![\da-zA-Z]|[.,-]\d)/g,
    triggers: [],
    isSecret: isCardNumber,
  },
  {
    kind: 'email',
    name: 'e-mail address',
    regex: /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,24}/gu,
    triggers: ['@'],
    // Images for screens of high density: logo@2x.png.
    isSecret: (text) => !/@\dx\.\w+$/.test(text),
  },
];

/** Visa, Mastercard, American Express, Discover, JCB, Diners Club and UnionPay. */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]|7[01])\d{11,13}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35[2-8]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17})$/;

function tokenName(text: string): string {
  return TOKENS.find(([, source]) => new RegExp(`^(?:${source})$`).test(text))?.[0] ?? 'token';
}

function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!CARD.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9;
  }
  return sum % 10 === 0;
}

function follow(character: string, times: number): (start: string) => Trigger {
  return (start) => start + character.repeat(times);
}
