import { tryOr } from '../try-or.ts';
import { KEY_END, KEY_START } from './private-key.ts';
import type { SecretKind } from './secret-kinds.ts';

// cspell:disable: starts of tokens, and names without separators.
/** Normalized names of headers with credentials. */
export const HEADER_NAMES =
  'authorization proxyauthorization xauthorization cookie setcookie xapikey xauthtoken'.split(' ');

/** Ends of normalized names of other fields with credentials. Digits may follow. */
export const PASSWORD_ENDINGS =
  'password passwd pwd passphrase passcode smtppass token secret secretvalue credentials connectionstring apikey accesskey secretkey privatekey signingkey encryptionkey masterkey sshkey otp mfacode cvv cvc'.split(
    ' ',
  );

/** Starts of names that end in `token`, but are positions, signals, or words of a model. */
export const KEPT_TOKENS =
  'next page continuation sync resume cancel cancellation abort eos bos pad per'.split(' ');

/**
 * A regular expression of bytes that text with a secret contains, in any position: characters, classes, groups of
 * alternatives, and quantifiers.
 */
export type Gate = string;

/** Sources of what ends before a secret, although it looks like a part of it: colors of terminals and escapes. */
const ESCAPES =
  String.raw`\[[\d;]{0,20}[mK] \\[bfnrtv] \\u[\da-fA-F]{4} \\x[\da-fA-F]{2} %[\da-fA-F]{2}`.split(' ');
/** Source: behind an escape. */
export const ESCAPED = `(?<=${ESCAPES.join('|')})`;
/** Source: what may stand before a secret in text is no letter and no digit, unless they end an escape. */
const BEFORE = `(?:(?<![A-Za-z\\d])|${ESCAPED})`;
/** Source: a character of credentials behind their scheme. */
const CREDENTIAL = '[\\w.~+/=-]';
/** What may be between a name and its value: `password\t=`, `headers.authorization.0`, spaces that are not ASCII, colors. */
const NAME_END = '[_\\-.\\s\\d\\x80-\\xff\\x1b]*["\'`\\\\:=[\\]>%]';

/** @param names normalized names of fields. @param endings ends of such names. */
export function nameGates(names: readonly string[], endings: readonly string[]): readonly Gate[] {
  // Names may have any separators, and be in any case.
  const spelled = (name: string): Gate => [...name].map(anyCase).join('[_\\-. ]*');
  return [
    `(?:[^A-Za-z\\d]|${ESCAPES.join('|')})(?:${names.map(spelled).join('|')})${NAME_END}`,
    `(?:${endings.map(spelled).join('|')})${NAME_END}`,
    // Flags of commands, as in `--password x`.
    '--[A-Za-z][\\w-]*[\\s\\\\\\x80-\\xff]',
    ...(names.some((name) => /[\u0080-\uffff]/.test(name)) ? ['[\\x80-\\xff]'] : []),
    // An escape may hide any character, and a percent escape letters and separators of names.
    ...['\\\\u', '%[4-7][\\da-fA-F]', '%2[0deDE]'],
  ];
}

export interface SecretPattern {
  readonly kind: SecretKind;
  readonly name: string;
  /** Global, or its source. If the match starts with its first group, the secret is behind the group. */
  readonly regex: RegExp | string;
  readonly gates: readonly Gate[];
  /** Further condition. */
  readonly isSecret?: (text: string) => boolean;
}

/** Tokens by the form that their service gives them: name and regular expression. As of November 2026. */
const TOKENS = String.raw`
1Password token          ops_eyJ[A-Za-z\d+/]{50,}={0,3}
AWS access key           (?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}
age key                  AGE-SECRET-KEY-1[A-Z\d]{58}
Airtable token           pat[A-Za-z\d]{14}\.[\da-f]{64}
Alibaba access key       LTAI[A-Za-z\d]{20}
Anthropic or OpenAI key  sk-(?=[\w-]*\d)[\w-]{32,}
Artifactory key          AKCp[A-Za-z\d]{69}
Atlassian token          ATATT3[\w=-]{50,}
Azure client secret      [\w~.]{3}\dQ~[\w~.-]{31,34}
Azure DevOps token       [A-Za-z\d]{75,76}AZDO[A-Za-z\d]{4,5}
Azure service key        [A-Za-z\d]{52}JQQJ9[9D][A-Za-z\d]{26}
Brevo key                xkeysib-[\da-f]{64}-[A-Za-z\d]{16}
Buildkite token          bkua_[\da-f]{40}
CircleCI token           CCI(?:PAT|PRJ)_[A-Za-z\d]{22}_[\da-f]{40}
Cloudflare CA key        v1\.0-[\da-f]{24}-[\da-f]{146}
Contentful token         CFPAT-[\w-]{43}
crates.io token          cio[A-Za-z\d]{32}
Databricks token         dapi[a-f\d]{32}
DigitalOcean token       do[opr]_v1_[a-f\d]{64}
Discord webhook          discord(?:app)?\.com/api/webhooks/\d+/[\w-]{40,}
Docker token             dckr_(?:pat|oat)_[\w-]{20,}
Doppler token            dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}
Dynatrace token          dt0[a-z]\d\d\.[A-Z\d]{24}\.[A-Z\d]{64}
Figma token              figd_[\w-]{30,}
Fly.io token             (?:fo1|fm1[ar]|fm2)_[\w+/=-]{40,}
GitHub token             gh[pousr]_[A-Za-z\d]{30,}
GitHub token             github_pat_\w{40,}
GitLab token             gl(?:pat|dt|ft|rt|rtr|ptt|oas|soat|imt|agent|cbt)-[\w-]{20,}
Google API key           AIza[\w-]{35}
Google OAuth token       ya29\.[\w-]{20,}
Google client secret     GOCSPX-[\w-]{20,}
Grafana token            gl(?:sa|c)_[\w=]{30,}
Groq key                 gsk_[A-Za-z\d]{40,}
Heroku key               HRKU-AA[\w-]{58}
HubSpot token            pat-(?:na|eu)\d-[\da-f-]{36}
Hugging Face token       hf_[A-Za-z\d]{30,}
LangSmith key            lsv2_(?:pt|sk)_[\da-f]{32}_[\da-f]{10}
Linear key               lin_(?:api|oauth)_[A-Za-z\d]{40,}
LogScale token           [A-Za-z\d]{24,32}~[A-Za-z\d]{44}
Mailchimp key            [\da-f]{32}-us\d{1,2}
Mailgun key              (?<!\w[-:/._])key-[\da-f]{32}
Mapbox token             sk\.eyJ[\w-]{40,}\.[\w-]{20,}
Neon key                 napi_[a-z\d]{60,}
Netlify token            nfp_[A-Za-z\d]{36,}
New Relic key            NR(?:AK-[A-Z\d]{27}|II-[\w-]{32})
Notion token             (?:ntn_\d{11}[A-Za-z\d]{35}|secret_[A-Za-z\d]{43})
npm token                npm_[A-Za-z\d]{36}
NuGet key                oy2[a-z\d]{43}
NVIDIA key               nvapi-[\w-]{60,}
OpenShift token          sha256~[\w-]{43}
Perplexity key           pplx-[A-Za-z\d]{48}
Pinecone key             pcsk_\w{40,}
PlanetScale token        pscale_(?:tkn|oauth|pw)_[\w=.-]{32,}
PostHog key              ph[xs]_[A-Za-z\d]{40,}
Postman key              PMAK-[a-f\d]{24}-[a-f\d]{34}
Pulumi token             pul-[\da-f]{40}
PyPI token               pypi-[\w-]{50,}
Replicate token          r8_[A-Za-z\d]{37}
RubyGems key             rubygems_[\da-f]{48}
SendGrid key             SG\.[\w-]{16,32}\.[\w-]{16,64}
Sentry token             sntry[su]_[\w+/=]{30,}
Shopify token            shp(?:at|ca|pa|ss)_[a-fA-F\d]{32}
Slack app token          xapp-\d-[\w-]{20,}
Slack token              xox[abeoprs]-[\w-]{10,}
Slack webhook            hooks\.slack\.com/(?:services|workflows)/[\w/]{20,}
SonarQube token          sq[apu]_[\da-f]{40}
Sourcegraph token        sgp_(?:[\da-f]{16}_|local_)?[\da-f]{40}
Square token             (?:EAAA|sq0atp-|sq0csp-|sq0idp-)[\w-]{22,60}
Stripe key               [sr]k_(?:live|test|prod)_[A-Za-z\d]{10,}
Stripe webhook secret    whsec_[A-Za-z\d+/=]{20,}
Supabase token           (?:sbp_[\da-f]{40}|sb_secret_[\w-]{20,})
Tailscale key            tskey-(?:auth|api|client|scim|webhook)-[A-Za-z\d-]{16,}
Telegram bot token       \d{8,10}:AA[\w-]{33}
Terraform token          [A-Za-z\d]{14}\.atlasv1\.[\w=-]{60,}
Twilio key               SK[\da-f]{32}
Vault token              hv[bs]\.[\w-]{20,}
Vercel token             vcp_[A-Za-z\d]{24,}
xAI key                  xai-[A-Za-z\d]{60,}
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s{2,}/) as [name: string, source: string]);

/** Patterns of secrets in text. */
export const PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'privateKey',
    name: 'private key',
    // A key that was cut has no end.
    regex: `${KEY_START}[^]*?(?:${KEY_END}|$)`,
    gates: ['PRIVATE KEY'],
  },
  {
    kind: 'jwt',
    name: 'JWT',
    // A header ends where another may start, so that each character is tested once. An encrypted one may have an empty part.
    regex: `${BEFORE}eyJ(?:(?!-eyJ)[\\w-]){5,}\\.(?:eyJ[\\w-]+|[\\w-]{20,}|\\.[\\w-]{10,}\\.[\\w-]{10,})(?:\\.[\\w-]*){0,3}`,
    gates: ['eyJ'],
  },
  {
    kind: 'connectionString',
    name: 'password in a URL',
    // Digits before a path are a port, a bracket is the start of an IP address.
    regex:
      /([a-z][a-z\d+.-]{0,30}:(?:\\*\/){2}(?!\[)[^\s:/@?#"'`<>]{0,256}:)(?!\d{1,5}[/?#])[^\s"'`<>]{1,256}(?:(?!:\/\/)[^\s"'`<>]){0,2000}(?=@)/gi,
    gates: [':\\\\*/\\\\*/[^ \\t-\\r"]*@'],
  },
  {
    kind: 'connectionString',
    name: 'password in a data source',
    // Of Go and Oracle: user:password@tcp(host), user/password@//host.
    regex:
      /(?<![\w./-])([\w.-]{1,64}(?::(?=[^\s"'`@/]{1,256}@(?:tcp|udp|unix)\()|\/(?=[^\s"'`@/]{1,256}@\/\/)))[^\s"'`@/]+/g,
    gates: ['@(?:tcp|udp|unix)\\(', '@\\\\*/\\\\*/'],
  },
  {
    kind: 'authorization',
    name: 'credentials',
    // A token has another form than a word. `Bearer realm="x"` is a challenge of a server.
    regex: `${BEFORE}(${anyCase('Bearer')}\\s+(?![a-z_]+=\\\\*["'])(?=${CREDENTIAL}*(?:\\d|[a-z][A-Z]|[A-Za-z][-._~+/=]+[A-Za-z])|${CREDENTIAL}{15,}[\\w=])|(?:[Bb]asic|BASIC)\\s+(?=${CREDENTIAL}*[\\d=])(?=${CREDENTIAL}{12}))${CREDENTIAL}+`,
    gates: ['Bearer', 'Basic'].map((scheme) => `${anyCase(scheme)}[\\s\\\\\\x80-\\xff]`),
    // After `Basic`, a user and a password, in base64.
    isSecret: (text) =>
      !/^basic/i.test(text) || tryOr('', () => atob(text.slice('Basic'.length).trim())).includes(':'),
  },
  ...TOKENS.map(([name, source]): SecretPattern => {
    return {
      kind: 'cloudToken',
      name,
      regex: `${BEFORE}(?:${source})`,
      // A class with many characters at the start is left out: in most text, it matches everywhere.
      gates: [source.replace(/^(?:\[[^\]]+\]|\\d)\{[\d,]+\}/, '')],
    };
  }),
  {
    kind: 'cloudToken',
    name: 'Azure key',
    regex: `${BEFORE}((?:AccountKey|SharedAccessKey|sig)=)[\\w+/%-]{40,}={0,2}`,
    gates: ['(?:AccountKey|SharedAccessKey|sig)='],
  },
  {
    kind: 'cardNumber',
    name: 'card number',
    // Longer numbers without separators are nearly always IDs.
    regex: `(?:(?<![\\da-zA-Z%]|\\d[.-])|${ESCAPED})(?:[2-68]\\d{12,15}|[2-68]\\d{3}(?:([ -])\\d{4}\\1\\d{4}\\1\\d{1,7}|([ -])\\d{6}\\2\\d{4,5}))(?![\\da-zA-Z]|[.-]\\d)`,
    // 13 to 16 digits, or separators after the first four. The last digits of an escape may be before it.
    gates: [
      ...['\\\\[ux]', '%[\\da-fA-F]{2}[2-68]\\d{3}[ -]', '%[\\da-fA-F]{2}[2-68]\\d{12}'],
      `\\D[2-68]\\d{3}[ -]${'[ -]*\\d'.repeat(9)}`,
      ...[12, 13, 14, 15].map((count) => `\\D[2-68]\\d{${count}}\\D`),
    ],
    isSecret: isCardNumber,
  },
  {
    kind: 'email',
    name: 'e-mail address',
    // It starts behind a color or an escape, not in it. In URLs and forms, `+` and `@` are encoded.
    regex: new RegExp(
      `(?:(?<![\\p{L}\\d._%+-]|\\[[\\d;]{0,20}(?=[\\d;]{1,20}[mK])|\\\\(?=[bfnrtvux]))|${ESCAPED})(?:[\\p{L}\\d._+-]|%2[Bb]){1,64}(?:@|%40)[\\p{L}\\d-]+(?:\\.[\\p{L}\\d-]+)*\\.\\p{L}{2,24}`,
      'gu',
    ),
    gates: ['@', '%40'],
    // Images for screens of high density, versions, users of Git and units of systemd are none.
    isSecret: (text) =>
      !/^git@|@\dx\.\w+$|@\d+\.\d|\.(?:service|socket|target|timer|mount|slice|scope)$/.test(
        text.replace('%40', '@'),
      ),
  },
];

/** Visa, American Express, JCB, Diners Club, Discover and UnionPay, Mastercard, Mir, Maestro, RuPay, Dankort, Verve. */
const CARD = new RegExp(
  `^(?:${[
    ...['4(?:\\d{12}|\\d{15}|\\d{18})', '3[47]\\d{13}', '35[2-8]\\d{13}', '3(?:0[0-5]|[68]\\d)\\d{11}'],
    ...['6(?:011|5\\d\\d|4[4-9]\\d)\\d{12}', '62\\d{14,17}', '5[1-5]\\d{14}'],
    ...['2(?:22[1-9]|2[3-9]\\d|[3-6]\\d\\d|7[01]\\d|720)\\d{12}', '220[0-4]\\d{12,15}'],
    ...['(?:5018|5020|5038|5893|6304|6759|676[1-3])\\d{9,15}', '(?:508[5-9]|60\\d\\d|8[12]\\d\\d)\\d{12}'],
    ...['5019\\d{12}', '50(?:609|61\\d|78[6-9]|79[0-6])\\d{11}(?:\\d{2,3})?'],
  ].join('|')})$`,
);

/** A source that matches the text in any case. */
function anyCase(text: string): Gate {
  return text.replaceAll(/[\x20-\x7f]/g, (letter) =>
    /[A-Za-z]/.test(letter)
      ? `[${letter.toLowerCase()}${letter.toUpperCase()}]`
      : `\\x${letter.charCodeAt(0).toString(16)}`,
  );
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
