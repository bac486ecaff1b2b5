// Prints the number of errors from the last hour for each environment. The arguments are the .env files.
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { LogClient, lql } from 'logclient';

async function errorsOf(file: string) {
  const settings = parseEnv(await readFile(file, 'utf8'));
  const client = new LogClient({
    baseUrl: settings.LOGSCALE_URL,
    repository: settings.LOGSCALE_REPOSITORY,
    userToken: settings.LOGSCALE_TOKEN,
  });
  const query = lql`#env = ${settings.APP_ENV ?? ''} level = error | count(as=errors)`;
  const [row] = await client.query<{ errors: string }>(query, { start: '1h' });
  return { environment: settings.APP_ENV, errors: row?.errors };
}

// Each client has its own connections and settings.
console.table(await Promise.all(process.argv.slice(2).map(errorsOf)));
