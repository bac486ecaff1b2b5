import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';

const REASON =
  'The local server accepts OTLP over HTTP, but not over gRPC. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
  onTestFinished(() => server.close());
});

describe('Local server', () => {
  it('rejects the gRPC exporter of OTLP with an error about gRPC, and records the rejection once', async () => {
    const exporter = new OTLPLogExporter({ url: server.url });
    onTestFinished(() => exporter.shutdown());
    for (let exports = 0; exports < 2; exports++) {
      const result = await new Promise((resolve) => exporter.export([], resolve));
      expect(result).toMatchObject({ code: 1, error: { code: 12, details: REASON } });
    }
    expect(server.inspect.rejections()).toMatchObject([
      {
        client: expect.stringContaining('grpc-node-js'),
        path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
        status: 415,
        reason: REASON,
        count: 2,
      },
    ]);
  });

  it('rejects several exporters of a process, which share a connection, with the same error', async () => {
    const exporters = Array.from({ length: 3 }, () => new OTLPLogExporter({ url: server.url }));
    onTestFinished(async () => {
      await Promise.all(exporters.map((exporter) => exporter.shutdown()));
    });
    const send = (exporter: OTLPLogExporter): Promise<unknown> =>
      new Promise((resolve) => exporter.export([], resolve));
    const rejected = { code: 1, error: { code: 12, details: REASON } };
    expect(await Promise.all(exporters.map(send))).toMatchObject([rejected, rejected, rejected]);
    for (const exporter of exporters) expect(await send(exporter)).toMatchObject(rejected);
  });

  it('closes while gRPC exporters are connected', async () => {
    const exporter = new OTLPLogExporter({ url: server.url });
    onTestFinished(() => exporter.shutdown());
    await new Promise((resolve) => exporter.export([], resolve));
    await server.close();
    await expect(fetch(`${server.url}/api/v1/status`)).rejects.toThrow('fetch failed');
  });

  it('responds with status 505 to other requests over HTTP/2', async () => {
    const client = connectHttp2(server.url);
    onTestFinished(() => client.destroy());
    const [headers] = await once(client.request({ ':path': '/api/v1/status' }), 'response');
    expect(headers[':status']).toBe(505);
  });

  it('survives a client that disconnects after the HTTP/2 preface', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', () => socket.resetAndDestroy());
    });
    await once(socket, 'close');
    expect((await fetch(`${server.url}/api/v1/status`)).status).toBe(200);
  });

  it.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    [
      'too large headers',
      `GET / HTTP/1.1\r\nA: ${'x'.repeat(100_000)}`,
      '431 Request Header Fields Too Large',
    ],
    ['an HTTP/2 preface without frames', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame', ''],
  ])('survives %s', async (_, bytes, status) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const response = await text(socket).catch(() => '');
    expect(response.includes(status)).toBe(true);
    expect((await fetch(`${server.url}/api/v1/status`)).status).toBe(200);
  });
});
