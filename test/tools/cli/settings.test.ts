import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pointInTime, timeAt } from '../../../src/tools/output/flag-values.ts';
import { resolveConnection } from '../../../src/tools/settings/connection-settings.ts';
import { blocksOf } from '../../docs/markdown-blocks.ts';
import { runCommand } from '../../helpers/cli-run.ts';

/** Ignores a server of the developer who runs the tests. */
const OFF = { LOGCLIENT_DISCOVERY: 'off' };

const SECRET = 'secret-token-0123456789';
const CONFIG = `
address: https://default.example.com
token: ${SECRET}-default
profiles:
  prod:
    address: https://prod.example.com/logs
    token: ${SECRET}-prod
    ca_certificate: "-----BEGIN CERTIFICATE-----"
    insecure: true
`;

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-settings-'));
  config = join(folder, 'config.yaml');
  await writeFile(config, CONFIG);
  await writeFile(join(folder, 'empty.yaml'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('Connection settings', () => {
  it('are read from a config file as docs/commands.md shows it', async () => {
    const page = await readFile(resolve(import.meta.dirname, '../../../docs/commands.md'), 'utf8');
    const [block, ...others] = blocksOf(page).filter(({ language }) => language === 'yaml');
    expect({ title: block?.title, others }).toEqual({ title: 'Profiles', others: [] });
    const file = join(folder, 'documented.yaml');
    await writeFile(file, block!.text);
    const found = async (profile?: string) => {
      const { url, token, caCertificate } = await resolveConnection({ config: file, profile }, OFF);
      return { url: url.value, token: token?.value, caCertificate: caCertificate?.value };
    };
    expect(await found()).toEqual({
      url: 'https://cloud.example.com',
      token: '…',
      caCertificate: undefined,
    });
    expect(await found('staging')).toEqual({
      url: 'https://staging.example.com',
      token: '…',
      caCertificate: '-----BEGIN CERTIFICATE-----',
    });
  });

  it('come from flags, --profile, the environment, the config file and defaults, in this order', async () => {
    const none = { config: join(folder, 'empty.yaml') };
    const environment = { LOGSCALE_URL: 'http://env' };
    const flags = { config, profile: 'prod', url: 'http://flag' };
    expect((await resolveConnection(flags, environment)).url).toEqual({
      value: 'http://flag',
      origin: '--url',
    });
    expect((await resolveConnection({ config, profile: 'prod' }, environment)).url).toEqual({
      value: 'https://prod.example.com/logs',
      origin: `profile "prod" in ${config}`,
    });
    const chosen = { ...environment, LOGSCALE_PROFILE: 'prod' };
    expect((await resolveConnection({ config }, chosen)).url).toEqual({
      value: 'http://env',
      origin: 'LOGSCALE_URL',
    });
    expect((await resolveConnection({ config, profile: 'PROD' }, OFF)).url).toEqual({
      value: 'https://prod.example.com/logs',
      origin: `profile "PROD" in ${config}`,
    });
    expect((await resolveConnection({ config }, OFF)).url.value).toBe('https://default.example.com');
    expect((await resolveConnection(none, OFF)).url).toEqual({
      value: 'http://localhost:3000',
      origin: 'default',
    });
  });

  it.each([
    ['url', 'LOGSCALE_BASE_URL'],
    ['url', 'HUMIO_ADDRESS'],
    ['url', 'HUMIO_BASE_URL'],
    ['token', 'LOGSCALE_API_TOKEN'],
    ['token', 'HUMIO_TOKEN'],
    ['ingestToken', 'LOGSCALE_INGEST_TOKEN'],
    ['repository', 'LOGSCALE_REPOSITORY'],
    ['caCertificate', 'HUMIO_CA_CERTIFICATE'],
  ] as const)('%s is read from %s', async (setting, name) => {
    const settings = await resolveConnection(
      { config: join(folder, 'empty.yaml') },
      { ...OFF, [name]: ' value ' },
    );
    expect(settings[setting]).toEqual({ value: 'value', origin: name });
  });

  const own = { LOGSCALE_INGEST_TOKEN: 'of-env' };
  it.each([
    ['no profile', {}, own, 'of-env'],
    ['--url', { url: 'http://flag' }, own, 'of-env'],
    ['--profile', { profile: 'prod' }, own, undefined],
    ['--profile and LOGSCALE_URL', { profile: 'prod' }, { ...own, LOGSCALE_URL: 'http://env' }, undefined],
    ['LOGSCALE_PROFILE', {}, { ...own, LOGSCALE_PROFILE: 'prod' }, undefined],
    [
      'LOGSCALE_PROFILE and LOGSCALE_URL',
      {},
      { ...own, LOGSCALE_PROFILE: 'prod', LOGSCALE_URL: 'http://env' },
      'of-env',
    ],
  ])('use the ingest token of the environment only beside its address: %s', async (_, flags, env, token) => {
    const { ingestToken } = await resolveConnection({ config, ...flags }, { ...OFF, ...env });
    expect(ingestToken?.value).toBe(token);
  });

  it('list the profiles for a name of one letter that none has', async () => {
    const letters = join(folder, 'letters.yaml');
    await writeFile(letters, 'profiles:\n  a: { address: http://a }\n  b: { address: http://b }\n');
    await expect(resolveConnection({ config: letters, profile: 'c' }, OFF)).rejects.toThrow(
      /There are a, b\.$/,
    );
  });

  it('are read from the humioctl profile that LOGSCALE_PROFILE names', async () => {
    const settings = await resolveConnection({ config }, { LOGSCALE_PROFILE: 'prod' });
    const origin = `profile "prod" in ${config}`;
    expect(settings).toMatchObject({
      token: { value: `${SECRET}-prod`, origin },
      caCertificate: { value: '-----BEGIN CERTIFICATE-----', origin },
      insecure: { value: true, origin },
      profile: { value: 'prod', origin: 'LOGSCALE_PROFILE' },
    });
  });

  it('include the token in the file of --token-file, without its trailing newline', async () => {
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, `${SECRET}\n`);
    const { token } = await resolveConnection({ config, tokenFile }, { LOGSCALE_TOKEN: 'other' });
    expect(token).toEqual({ value: SECRET, origin: `--token-file ${tokenFile}` });
  });
});

describe('logclient with invalid settings', () => {
  it.each([
    [['--profile', 'prdo'], 2, /no profile "prdo" \(--profile\) in .*Did you mean "prod"\?/],
    [['--token', 'a', '--token-file', 'b'], 2, /--token-file and --token can't be combined/],
    [['--token-file', '/nonexistent/x'], 2, /can't read --token-file \/nonexistent\/x: it does not exist/],
    [['--url', ''], 2, /--url is empty/],
    [['--url', 'ftp://x'], 2, /the address from --url must start with http:\/\/ or https:/],
    [['--url', 'https://u:p@x'], 2, /the address from --url contains credentials/],
    [['--timeout', '0'], 2, /must be a whole number from 1 to/],
  ])('rejects %j with exit code 2 and a one-line message', async (words, expected, message) => {
    const { code, stdout, stderr } = await runCommand(['status', '--config', config, ...words]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^logclient: .*\n$/);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  });

  it('rejects a config file that is not YAML, without quoting its content', async () => {
    const broken = join(folder, 'broken.yaml');
    await writeFile(broken, `token: "${SECRET}\n  : [`);
    const { code, stderr } = await runCommand(['status', '--config', broken]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `logclient: ${broken} is not valid YAML.\n` });
  });

  it.each(['- a list', 'only words', '7'])('rejects a config file without settings: %s', async (text) => {
    const odd = join(folder, 'odd.yaml');
    await writeFile(odd, text);
    const { code, stderr } = await runCommand(['status', '--config', odd]);
    expect(stderr).toMatch(
      /^logclient: \S+odd\.yaml contains no settings\. It must have lines such as "address: .*\n$/,
    );
    expect(code).toBe(2);
  });

  it('rejects a --config file that does not exist', async () => {
    const missing = join(folder, 'missing.yaml');
    const { code, stderr } = await runCommand(['auth', 'status', '--config', missing]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `logclient: --config ${missing} doesn't exist.\n` });
  });

  it('rejects a missing token or repository with a message that says how to set it', async () => {
    const none = ['--config', join(folder, 'empty.yaml')];
    const noToken = await runCommand(['query', ...none]);
    expect(noToken).toMatchObject({ code: 4, stderr: expect.stringContaining('Set LOGSCALE_TOKEN') });
    const noRepository = await runCommand(['query', '--token', 'x', ...none]);
    expect(noRepository).toMatchObject({ code: 2, stderr: expect.stringContaining('--repository <name>') });
  });
});

describe('pointInTime()', () => {
  it.each([
    ['15m', '15m'],
    ['2 days', '2 days'],
    ['2 DAYS', '2 days'],
    ['1d@d', '1d@d'],
    ['now@h', 'now@h'],
    ['2h30m', '9000s'],
    ['1d12h', '129600s'],
    ['now', 'now'],
    ['-5m', '5m'],
    ['-2h30m', '9000s'],
    ['1 hour ago', '1 hour'],
    ['0', 0],
    ['1700000000', 1_700_000_000_000],
    ['1700000000123', 1_700_000_000_123],
    ['2026-11-20T10:00Z', Date.UTC(2026, 10, 20, 10)],
    ['2026-11-20 10:00:30.5+01:00', Date.UTC(2026, 10, 20, 9, 0, 30, 500)],
    ['2026-11-20', new Date(2026, 10, 20).getTime()],
    ['2026-11-20 10:00', new Date(2026, 10, 20, 10).getTime()],
  ])('parses %j as %j', (text, expected) => {
    expect(timeAt(pointInTime(text))).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '15x',
    '-5',
    'ago',
    '1700000000 ago',
    '2026-13-01',
    '2026-02-30T99:00',
    '12',
    '2026-02-31',
    '2026-06-31T10:00Z',
    '2025-02-29 10:00',
  ])('rejects %j', (text) => {
    expect(() => pointInTime(text)).toThrow(/It must be a relative time/);
  });
});
