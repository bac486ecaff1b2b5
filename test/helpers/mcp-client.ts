import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished, vi } from 'vitest';
import { FileSource } from '../../src/tools/mcp/file-source.ts';
import { RowRefs } from '../../src/tools/mcp/row-refs.ts';
import { createMcpServer } from '../../src/tools/mcp/server.ts';
import { ServiceSource } from '../../src/tools/mcp/service-source.ts';
import { CLI_FILE } from './cli-process.ts';
import { stubEnvironment } from './cli-run.ts';

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export interface McpConnection {
  readonly client: Client;
  /** The output on stderr. */
  readonly stderr: () => string;
  /** Calls a tool. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Answer>;
}

/** What a server reads: a file, or the service of its environment. */
export interface McpLogs {
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
}

/** Connects the SDK's client to a server in this process, which differs from `logclient mcp` only in its streams. */
export async function connectMcp({ env = {}, file }: McpLogs = {}): Promise<McpConnection> {
  stubEnvironment(env);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const source = file === undefined ? new ServiceSource({}) : new FileSource(file);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await createMcpServer({ source, refs: new RowRefs(), ending: new AbortController().signal }).connect(
    serverSide,
  );
  const connection = await connect(clientSide);
  onTestFinished(async () => {
    await connection.client.close();
    await source[Symbol.asyncDispose]();
    write.mockRestore();
    vi.unstubAllEnvs();
  });
  return { ...connection, stderr: () => write.mock.calls.map(([text]) => text).join('') };
}

/** Connects the SDK's client to a process that runs `logclient mcp`. */
export async function connectMcpProcess(env: Readonly<Record<string, string>>): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI_FILE, 'mcp'],
    env: { PATH: process.env.PATH!, HOME: '/nonexistent', LOGCLIENT_DISCOVERY: 'off', ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const connection = await connect(transport);
  onTestFinished(() => connection.client.close());
  return { ...connection, stderr: () => stderr };
}

async function connect(
  transport: Parameters<Client['connect']>[0],
): Promise<Pick<McpConnection, 'client' | 'call'>> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { readonly text: string }[];
    return { text: content!.text, isError: result.isError === true };
  };
  return { client, call };
}
