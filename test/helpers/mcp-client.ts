import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { CLI_FILE } from './cli-process.ts';

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export interface McpConnection {
  readonly client: Client;
  /** The output of the process on stderr. */
  readonly stderr: () => string;
  /** Calls a tool. */
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Answer>;
}

/** Connects the SDK's client to a process that runs `logclient mcp`. */
export async function connectMcp(
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI_FILE, 'mcp', ...flags],
    env: { PATH: process.env.PATH!, HOME: '/nonexistent', LOGCLIENT_DISCOVERY: 'off', ...env },
    stderr: 'pipe',
    ...(cwd !== undefined && { cwd }),
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { readonly text: string }[];
    return { text: content!.text, isError: result.isError === true };
  };
  return { client, stderr: () => stderr, call };
}
