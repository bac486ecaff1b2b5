import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './restarting-server.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples/works-with');
const CLI = join(ROOT, 'dist/cli/main.js');
const CACHE = join(ROOT, 'node_modules/.cache/works-with-debian');
const FILES = join(CACHE, 'root');
/** Separate downloads, because some of these packages conflict with each other. */
const PACKAGES = [
  ['rsyslog', 'rsyslog-elasticsearch'],
  ['syslog-ng-core', 'syslog-ng-mod-http', 'syslog-ng-scl'],
  ['collectd-core', 'libyajl2', 'logrotate'],
];

/** Downloads the packages with their dependencies and unpacks them into a folder. */
export function installDebian() {
  mkdirSync(join(CACHE, 'archives/partial'), { recursive: true });
  for (const names of PACKAGES) {
    const options = ['-o', `Dir::Cache::archives=${CACHE}/archives`, '-o', 'Debug::NoLocking=true'];
    execFileSync('apt-get', [
      'install',
      '-qq',
      '--no-install-recommends',
      '--download-only',
      ...options,
      ...names,
    ]);
  }
  const archives = readdirSync(join(CACHE, 'archives')).filter((name) => name.endsWith('.deb'));
  for (const name of archives) execFileSync('dpkg-deb', ['-x', join(CACHE, 'archives', name), FILES]);
}

function run(program, args) {
  const libraries = execFileSync('find', [FILES, '-name', '*.so.*', '-printf', '%h\n'], { encoding: 'utf8' });
  const LD_LIBRARY_PATH = [...new Set(libraries.trim().split('\n'))].join(':');
  const path = join(FILES, 'usr/sbin', program);
  const child = spawn(path, args, {
    env: { ...process.env, LD_LIBRARY_PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return () => child.kill('SIGKILL');
}

function folderOf(pattern) {
  return execFileSync('find', [FILES, '-path', pattern, '-printf', '%h\n'], { encoding: 'utf8' }).split(
    '\n',
  )[0];
}

const version = (packageName) => () => {
  const archive = readdirSync(join(CACHE, 'archives')).find((name) => name.startsWith(`${packageName}_`));
  return decodeURIComponent(archive.split('_')[1]);
};

/**
 * Writes the example configuration and a main configuration that includes it.
 * @returns the path of the main configuration
 */
function writeConfiguration({ folder, server }, example, main) {
  const included = join(folder, example);
  const path = join(folder, `main-${example}`);
  writeFileSync(included, server.configure(readFileSync(join(EXAMPLES, example), 'utf8')));
  writeFileSync(path, main(included));
  return path;
}

/** Writes one line per record, starting when the program listens. */
async function feedEach(address, records, lineOf, intervalMs = 2) {
  const socket = await connected(address);
  for (let n = 0; n < records; n++) {
    socket.write(`${lineOf(n)}\n`);
    await setTimeout(intervalMs);
  }
  socket.end();
}

/** Only logs errors: if the program doesn't listen, no records arrive, which the caller detects. */
function feed(...args) {
  feedEach(...args).catch((error) => process.stderr.write(`${error}\n`));
}

async function connected(address) {
  for (let attempt = 0; ; attempt++) {
    const socket = connect(address);
    try {
      await once(socket, 'connect');
      // Ignores errors, because the program is killed as soon as all records have arrived.
      return socket.on('error', () => {}).resume();
    } catch (error) {
      if (attempt === 100) throw error;
      await setTimeout(100);
    }
  }
}

const syslogLine = (n) =>
  `<14>${new Date().toString().slice(4, 10)} ${new Date().toTimeString().slice(0, 8)} web1 shop: order-${n}`;

async function startRsyslog(context) {
  const port = await freePort();
  const main = (included) => `global(workDirectory="${context.folder}")
module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${port}")
include(file="${included}")
`;
  const path = writeConfiguration(context, 'rsyslog.conf', main);
  const modules = folderOf('*/rsyslog/omelasticsearch.so');
  const stop = run('rsyslogd', ['-n', '-f', path, '-i', join(context.folder, 'pid'), '-M', modules]);
  feed({ host: '127.0.0.1', port }, context.records, syslogLine);
  return stop;
}

async function startSyslogNg(context) {
  const port = await freePort();
  const library = join(FILES, 'usr/share/syslog-ng/include/scl/elasticsearch');
  const main = (included) => `@version: 3.35
@include "${library}/*.conf"
source s_src { network(ip("127.0.0.1") port(${port}) transport("tcp")); };
@include "${included}"
`;
  const path = writeConfiguration(context, 'syslog-ng.conf', main);
  const file = (name) => join(context.folder, name);
  const modules = folderOf('*/syslog-ng/*/libhttp.so');
  const state = ['-p', file('pid'), '-c', file('control'), '-R', file('persist')];
  const stop = run('syslog-ng', ['-F', '--no-caps', '-f', path, ...state, '--module-path', modules]);
  feed({ host: '127.0.0.1', port }, context.records, syslogLine);
  return stop;
}

async function startCollectd(context) {
  const socket = join(context.folder, 'socket');
  const main = (included) => `Hostname "web1"
BaseDir "${context.folder}"
PIDFile "${context.folder}/pid"
PluginDir "${folderOf('*/collectd/write_http.so')}"
TypesDB "${FILES}/usr/share/collectd/types.db"
LoadPlugin unixsock
<Plugin unixsock>
  SocketFile "${socket}"
</Plugin>
Include "${included}"
`;
  const stop = run('collectd', ['-f', '-C', writeConfiguration(context, 'collectd.conf', main)]);
  feed({ path: socket }, context.records, (n) => `PUTVAL "web1/shop-order-${n}/gauge" N:${n}`, 10);
  return stop;
}

/** Appends lines to a file that is rotated twice within a second. */
async function startLogrotate(context) {
  const log = join(context.folder, 'shop.log');
  const configuration = join(context.folder, 'logrotate.conf');
  const example = readFileSync(join(EXAMPLES, 'logrotate.conf'), 'utf8');
  writeFileSync(configuration, example.replaceAll('/var/log/shop.log', log));
  writeFileSync(log, '');
  const env = { ...process.env, ...context.server.variables };
  const child = spawn(process.execPath, [CLI, 'ingest', '--follow', log], { env, stdio: 'ignore' });
  appendAndRotate(log, context, () =>
    promisify(execFile)(join(FILES, 'usr/sbin/logrotate'), [
      '-f',
      '-s',
      join(context.folder, 'state'),
      configuration,
    ]),
  );
  return () => child.kill('SIGKILL');
}

async function appendAndRotate(log, { records }, rotate) {
  for (let n = 0; n < records; n++) {
    appendFileSync(log, `{"message":"order-${n}"}\n`);
    if (n === records / 2 || n === records / 2 + 50) await rotate();
    await setTimeout(2);
  }
}

export const debianPrograms = [
  { name: 'rsyslog', version: version('rsyslog'), start: startRsyslog },
  { name: 'syslog-ng', version: version('syslog-ng-core'), start: startSyslogNg },
  {
    name: 'collectd',
    version: version('collectd-core'),
    start: startCollectd,
    // collectd doesn't retry, so it loses the values from the time when the server is down.
    expected: ({ distinct }, records) => distinct >= records / 2,
  },
  { name: 'logrotate', version: version('logrotate'), start: startLogrotate },
];
