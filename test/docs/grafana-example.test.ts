import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startCli } from '../helpers/cli-process.ts';
import { goJson, goRequest } from '../helpers/go-http.ts';

const FOLDER = resolve(import.meta.dirname, '../../examples/grafana');
const DOCKERFILE = readFileSync(join(FOLDER, '../../examples/docker/server/Dockerfile'), 'utf8');
const { services } = yaml('compose.yaml');
const {
  datasources: [source],
} = yaml('provisioning/datasources/logscale.yaml');

// biome-ignore lint/suspicious/noExplicitAny: YAML of any shape.
function yaml(file: string): any {
  return parse(readFileSync(join(FOLDER, file), 'utf8'));
}

it('the services of the Grafana example refer to existing files and to each other', () => {
  const image = parse(readFileSync(join(FOLDER, '../docker/compose.yaml'), 'utf8')).services.logs.image;
  expect(services.logclient.image).toBe(image);
  const [mount] = services.grafana.volumes;
  expect(existsSync(join(FOLDER, mount.split(':')[0], 'datasources/logscale.yaml'))).toBe(true);
  expect(mount).toMatch(/:\/etc\/grafana\/provisioning:ro$/);
  expect(Object.keys(services.grafana.depends_on)).toEqual(['logclient']);
  expect(services.grafana.environment.GF_PLUGINS_PREINSTALL_SYNC).toMatch(new RegExp(`^${source.type}@`));
  const ports = [...services.logclient.ports, ...services.grafana.ports];
  expect(ports).toEqual(['127.0.0.1:5647:5647', '127.0.0.1:3000:3000']);
});

it('the server of the Grafana example returns events for queries with its URL and token', async () => {
  const { hostname, port } = new URL(source.url);
  expect([hostname, source.jsonData.baseUrl]).toEqual(['logclient', source.url]);
  const { command = [], environment } = services.logclient;
  // Compose appends the command to the entry point of the image.
  const [, ...words] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(DOCKERFILE)![1]!);
  expect(words).toEqual(['serve', '--host', '0.0.0.0', '--port', port, '--data-dir', '/data']);
  const flags = words.slice(0, words.indexOf('--port'));
  const { output } = startCli([...flags, '--port=0', ...command], environment);
  await expect.poll(() => output.stdout).toMatch(/http:\/\/[\d.]+:\d+/);
  const url = `http://localhost:${/http:\/\/[\d.]+:(\d+)/.exec(output.stdout)![1]}`;

  const ingest = await fetch(`${url}/api/v1/ingest/json`, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-ingest-token' },
    body: '{"message":"hello"}',
  });
  expect(ingest.status).toBe(200);

  const headers = {
    authorization: `Bearer ${source.secureJsonData.accessToken}`,
    // Inside the network of the containers, this is the server's name.
    host: `${hostname}:${port}`,
  };
  const jobs = `${url}/api/v1/repositories/${source.jsonData.defaultRepository}/queryjobs`;
  const body = goJson({ queryString: 'message=hello', start: '1h', isLive: false });
  const { id } = JSON.parse((await goRequest('POST', jobs, { headers, body })).body);
  const result = JSON.parse((await goRequest('GET', `${jobs}/${id}`, { headers })).body);
  expect(result).toMatchObject({ done: true, events: [{ message: 'hello' }] });
});
