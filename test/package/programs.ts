/** Programs of a fresh project, which use the installed package alone. */

/** Ships three records through the logger that `logger` creates, then queries them. */
export function sellAndQuery(imports: string, logger: string): string {
  return `
${imports}
main().catch((error) => { console.error(error); process.exit(1); });
async function main() {
  const server = await startLocalServer();
  const connection = { baseUrl: server.url, ingestToken: server.ingestToken, tags: { service: 'shop' } };
  const logger = ${logger};
  for (const item of ['a', 'b', 'c']) logger.info({ item, message: 'sold' });
  const client = new LogClient({ baseUrl: server.url, repository: server.repository, userToken: server.userToken });
  const rows = await client.waitFor('#service=shop level=info', 3, { timeoutMs: 15000 });
  console.log(rows.map((row) => row.item).sort().join());
  await new Promise((resolve) => { logger.flush ? logger.flush(resolve) : logger.on('finish', resolve).end(); });
  await server.close();
}`;
}

/** Logs a thousand records to the service at `url`, and exits immediately with code 3. */
export function logAndExit(imports: string, logger: string, url: string): string {
  return `
${imports}
const connection = { baseUrl: '${url}', ingestToken: 'token' };
const logger = ${logger};
for (let n = 1; n <= 1000; n++) logger.info({ n, message: 'sold' });
process.exit(3);`;
}
