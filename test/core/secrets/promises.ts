// cspell:disable: parts of tokens and of names.
/** What each row of the table finds, with the secret in «» if it is only a part,, and what looks like it, but stays. A row without both fails the test. */
export interface Promised {
  readonly found: readonly string[];
  readonly kept: readonly string[];
}

const LETTERS = 'aK7bQ2cW9dX4eR6fT1gY8hU3iP5jZ0kMnVoBpLqSrEsDtHuGvFwCxNyJzA';
const take = (from: string, length: number): string =>
  from.repeat(Math.ceil(length / from.length)).slice(0, length);
const any = (length: number): string => take(LETTERS, length);
const hex = (length: number): string => take('3f9a0c7e1b5d', length);
const low = (length: number): string => take('a7k2m9x4q1w8', length);
const up = (length: number): string => take('A7K2M6X4Q3W5', length);

/** A token, and the same one that is too short. */
function token(start: string, rest: string, end = ''): Promised {
  return { found: [start + rest + end], kept: [start + rest.slice(0, 7)] };
}

/** The number of a card: digits, and a valid checksum. */
function card(start: string, length: number): string {
  const digits = start.padEnd(length - 1, '73904');
  const sum = [...digits].reverse().reduce((all, digit, index) => {
    const doubled = index % 2 === 0 ? 2 * Number(digit) : Number(digit);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function named(found: readonly string[], kept: readonly string[]): Promised {
  return { found, kept };
}

/** Of fields, by the ending or the name. Also of the headers. */
export const NAMES: Readonly<Record<string, Promised>> = {
  authorization: named(['Authorization', 'req.headers.authorization'], ['authorizationUrl', 'authorized']),
  proxyauthorization: named(['Proxy-Authorization'], ['proxy']),
  xauthorization: named(['X-Authorization'], ['xAuthorized']),
  cookie: named(['Cookie', 'headers.cookie'], ['cookieName', 'cookies']),
  setcookie: named(['Set-Cookie'], ['setCookieCount']),
  xapikey: named(['X-Api-Key'], ['x-api-version']),
  xauthtoken: named(['X-Auth-Token'], ['x-auth-type']),
  password: named(
    ['password', 'dbPassword', 'DB_PASSWORD', 'password1', 'newPassword2', 'user[password]'],
    ['passwordHint', 'hasPasswordReset'],
  ),
  passwd: named(['passwd', 'db_passwd'], ['passwdFile']),
  pwd: named(['pwd', 'MYSQL_PWD', 'userPwd'], ['pwdLastSet']),
  passphrase: named(['passphrase', 'keyPassphrase'], ['passphraseLength']),
  passcode: named(['passcode', 'userPasscode'], ['passcodeLength']),
  smtppass: named(['smtpPass', 'SMTP_PASS'], ['smtpPassed']),
  token: named(
    [
      ...[
        'token',
        'resetToken',
        'apiToken',
        'botToken',
        'csrfToken',
        'GITHUB_TOKEN',
        'NPM_TOKEN',
        'userToken',
      ],
      ...[
        'x-csrf-token',
        'x-amz-security-token',
        'x-gitlab-token',
        'private-token',
        'ingestToken',
        'x-access-token',
      ],
      ...['accessToken', 'refresh_token', 'id_token', 'authToken', 'sessionToken'],
    ],
    ['tokenType', 'tokenCount', 'tokens', 'max_tokens', 'tokenizer'],
  ),
  secret: named(['secret', 'clientSecret', 'CLIENT_SECRET'], ['secretName', 'secretArn', 'secrets']),
  secretvalue: named(['secretValue'], ['secretValues']),
  credentials: named(['credentials', 'awsCredentials'], ['credentialsId']),
  connectionstring: named(['connectionString', 'DB_CONNECTION_STRING'], ['connectionStrings']),
  apikey: named(['apiKey', 'api.key', 'x-goog-api-key'], ['apiKeyId']),
  accesskey: named(['accessKey', 'AWS_ACCESS_KEY'], ['accessKeyId']),
  secretkey: named(['secretKey', 'stripe_secret_key'], ['secretKeyRef']),
  privatekey: named(['privateKey'], ['privateKeyPath']),
  signingkey: named(['signingKey'], ['signingKeyId']),
  encryptionkey: named(['encryptionKey'], ['encryptionKeyId']),
  masterkey: named(['masterKey'], ['masterKeyId']),
  sshkey: named(['sshKey'], ['sshKeyFingerprint']),
  otp: named(['otp', 'userOtp'], ['otpSent', 'laptop']),
  mfacode: named(['mfaCode', 'MFA_CODE'], ['mfaCodeSent']),
  cvv: named(['cvv', 'cardCvv', 'cvv2'], ['cvvResult']),
  cvc: named(['cvc', 'card_cvc'], ['cvcCheck']),
};

/** Names that end like these, but are positions, signals and words. */
export const KEPT_NAMES = [
  ...[
    'nextToken',
    'pageToken',
    'next_page_token',
    'continuationToken',
    'syncToken',
    'cancelToken',
    'eosToken',
  ],
  ...['resumeToken', 'cancellationToken', 'abortToken', 'bosToken', 'padToken', 'costPerToken'],
];

/** Of values, by the name of the pattern. */
export const VALUES: Readonly<Record<string, Promised>> = {
  'private key': named(
    [`-----BEGIN RSA PRIVATE KEY-----\n${any(48)}\n-----END RSA PRIVATE KEY-----`],
    [`-----BEGIN PUBLIC KEY-----\n${any(48)}\n-----END PUBLIC KEY-----`],
  ),
  JWT: named(
    [
      `eyJhbGciOiJIUzI1NiJ9.eyJ${any(30)}.${any(30)}`,
      // Encrypted, with and without an empty part.
      `eyJhbGciOiJkaXIifQ..${any(16)}.${any(60)}.${any(22)}`,
      `eyJhbGciOiJSU0EifQ.${any(40)}.${any(16)}.${any(60)}.${any(22)}`,
    ],
    ['eyJhbGci', 'eyJhbGciOiJkaXIifQ..', 'eyJabcde.txt'],
  ),
  'password in a URL': named(
    [
      `postgres://app:«${any(15)}»@db.example/shop`,
      `redis://:«${any(15)}»@cache:6379`,
      `postgres://iam:«db.example:5432/?Action=connect&X-Amz-Signature=${hex(600)}»@db.example:5432/shop`,
    ],
    ['http://[::1]:5173/@vite/client', 'https://a.example:8080?mail=a@b', 'http://localhost:3000/@fs/app.js'],
  ),
  'password in a data source': named(
    [
      `app:«${any(15)}»@tcp(db:3306)/shop`,
      `app:«${any(15)}»@unix(/run/mysql.sock)/shop`,
      `scott/«${any(12)}»@//db:1521/xe`,
    ],
    ['actions/checkout@v4', 'app@tcp(db:3306)/shop', 'user/repo@main'],
  ),
  credentials: named(
    [
      ...[`Bearer «${any(20)}7»`, `Basic «${btoa('ada:tr0ub4dor')}»`, 'Bearer «s3cr3t»', 'bEARER «Zx-kk_c»'],
      ...['Bearer «abcdefghijklmnopqrstuvwxyz»', 'bearer «abcDef»', 'Bearer «ab.cd»', 'Bearer «abc=def»'],
    ],
    [
      ...['Basic plan-2026-annual', 'Basic authentication', 'Bearer of bad news', 'basic 2026-edition-8'],
      ...[
        'bearer authentication...',
        'Bearer token is missing.',
        'Bearer Token',
        'BEARER TOKEN',
        'Bearer --',
      ],
      ...['Bearer realm="api"', 'Bearer error_description="the token expired"', 'Bearer abcdefgh'],
    ],
  ),
  'Azure key': named([`AccountKey=«${any(86)}==»`, `sig=«${any(43)}%3D»`], ['sig=short', 'AccountKey=dev']),
  'card number': named(
    [
      ...[
        '4111 1111 1111 1111',
        '5500005555555559',
        '378282246310005',
        '4012-8888-8888-1881',
        '4222222222222',
      ],
      // Mastercard, Maestro, RuPay, Mir, Dankort and Verve.
      ...[card('2720', 16), card('6759', 16), card('5018', 13), card('6074', 16), card('8172', 16)],
      ...[card('2200', 16), card('5019', 16), card('50619', 16)],
    ],
    ['4111 1111 1111 1112', '4611686018427387900', '1764320000000000'],
  ),
  'e-mail address': named(
    [
      ...['ada.lovelace@example.com', 'ada@163.com'],
      ...['ada%40example.com', 'ada+b%40example.com', 'ada%2Bb%40example.com', 'ada%2bb@example.com'],
    ],
    [
      ...['user@1000.service', 'logo@2x.png', 'react@18.2.0.tgz', 'git@github.com'],
      ...['user%401000.service', 'logo%402x.png', 'react%4018.2.0.tgz', 'git%40github.com', '/%40types/a.js'],
    ],
  ),
  '1Password token': token('ops_eyJ', any(260)),
  'AWS access key': token('AKIA', up(16)),
  'age key': token('AGE-SECRET-KEY-1', up(58)),
  'Airtable token': token(`pat${any(14)}.`, hex(64)),
  'Alibaba access key': token('LTAI', any(20)),
  'Anthropic or OpenAI key': {
    found: [`sk-ant-api03-${any(93)}`, `sk-proj-${any(60)}`, `sk-${any(48)}`],
    kept: ['sk-fading-circle-loading-indicator-container', 'sk-short'],
  },
  'Artifactory key': token('AKCp', any(69)),
  'Atlassian token': token('ATATT3', any(186)),
  'Azure client secret': token('aB38Q~', any(34)),
  'Azure DevOps token': { found: [`${any(76)}AZDO${any(4)}`], kept: [`${any(40)}AZDO${any(4)}`] },
  'Azure service key': token(`${any(52)}JQQJ99`, any(26)),
  'Brevo key': token('xkeysib-', hex(64), `-${any(16)}`),
  'Buildkite token': token('bkua_', hex(40)),
  'CircleCI token': token(`CCIPAT_${any(22)}_`, hex(40)),
  'Cloudflare CA key': token(`v1.0-${hex(24)}-`, hex(146)),
  'Contentful token': token('CFPAT-', any(43)),
  'crates.io token': token('cio', any(32)),
  'Databricks token': token('dapi', hex(32)),
  'DigitalOcean token': token('dop_v1_', hex(64)),
  'Discord webhook': token('discord.com/api/webhooks/123456789/', any(60)),
  'Docker token': token('dckr_pat_', any(27)),
  'Doppler token': token('dp.st.dev.', any(43)),
  'Dynatrace token': token(`dt0c01.${up(24)}.`, up(64)),
  'Figma token': token('figd_', any(40)),
  'Fly.io token': token('fm2_', any(200)),
  'GitHub token': { found: [`ghp_${any(36)}`, `github_pat_${any(82)}`], kept: ['ghp_short', 'github_pat_x'] },
  'GitLab token': token('glpat-', any(20)),
  'Google API key': token('AIza', any(35)),
  'Google OAuth token': token('ya29.', any(60)),
  'Google client secret': token('GOCSPX-', any(28)),
  'Grafana token': token('glsa_', any(32), `_${hex(8)}`),
  'Groq key': token('gsk_', any(52)),
  'Heroku key': token('HRKU-AA', any(58)),
  'HubSpot token': token('pat-na1-', '1f2e3d4c-1f2e-3d4c-5b6a-1f2e3d4c5b6a'),
  'Hugging Face token': token('hf_', any(34)),
  'LangSmith key': token(`lsv2_pt_${hex(32)}_`, hex(10)),
  'Linear key': token('lin_api_', any(40)),
  'LogScale token': token(`${any(32)}~`, any(44)),
  'Mailchimp key': { found: [`${hex(32)}-us12`], kept: [`${hex(30)}-us12`] },
  'Mailgun key': { found: [`key-${hex(32)}`], kept: [`cache-key-${hex(32)}`, `etag:key-${hex(32)}`] },
  'Mapbox token': token(`sk.eyJ${any(80)}.`, any(22)),
  'Neon key': token('napi_', low(64)),
  'Netlify token': token('nfp_', any(36)),
  'New Relic key': token('NRAK-', up(27)),
  'Notion token': token('ntn_', `12345678901${any(35)}`),
  'npm token': token('npm_', any(36)),
  'NuGet key': token('oy2', low(43)),
  'NVIDIA key': token('nvapi-', any(64)),
  'OpenShift token': token('sha256~', any(43)),
  'Perplexity key': token('pplx-', any(48)),
  'Pinecone key': token('pcsk_', `${any(6)}_${any(63)}`),
  'PlanetScale token': token('pscale_tkn_', any(43)),
  'PostHog key': token('phx_', any(43)),
  'Postman key': token(`PMAK-${hex(24)}-`, hex(34)),
  'Pulumi token': token('pul-', hex(40)),
  'PyPI token': token('pypi-', any(150)),
  'Replicate token': token('r8_', any(37)),
  'RubyGems key': token('rubygems_', hex(48)),
  'SendGrid key': token(`SG.${any(22)}.`, any(43)),
  'Sentry token': token('sntrys_', any(60)),
  'Shopify token': token('shpat_', hex(32)),
  'Slack app token': token('xapp-1-', any(60)),
  'Slack token': token('xoxb-', any(40)),
  'Slack webhook': token('hooks.slack.com/services/', 'T00000000/B00000000/abcdefghijklmnop'),
  'SonarQube token': token('squ_', hex(40)),
  'Sourcegraph token': token('sgp_', hex(40)),
  'Square token': token('sq0atp-', any(22)),
  'Stripe key': token('sk_live_', any(24)),
  'Stripe webhook secret': token('whsec_', any(32)),
  'Supabase token': {
    found: [`sbp_${hex(40)}`, `sb_secret_${any(31)}`],
    kept: ['sbp_v0', `sb_publishable_${any(31)}`],
  },
  'Tailscale key': token('tskey-auth-', `${any(12)}-${any(32)}`),
  'Telegram bot token': token('123456789:AA', any(33)),
  'Terraform token': token(`${any(14)}.atlasv1.`, any(67)),
  'Twilio key': token('SK', hex(32)),
  'Vault token': token('hvs.', any(90)),
  'Vercel token': token('vcp_', any(24)),
  'xAI key': token('xai-', any(80)),
};
