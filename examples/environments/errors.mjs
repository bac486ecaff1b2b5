// Shows how many errors each environment has had in the last hour. Takes the files of the environments.
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { LogClient, lql } from 'logclient';

async function errorsOf(file) {
  const settings = parseEnv(await readFile(file, 'utf8'));
  const client = new LogClient({
    baseUrl: settings.LOGSCALE_URL,
    repository: settings.LOGSCALE_REPOSITORY,
    userToken: settings.LOGSCALE_TOKEN,
  });
  const query = lql`#env = ${settings.APP_ENV} level = error | count(as=errors)`;
  const [{ errors }] = await client.query(query, { start: '1h' });
  return { environment: settings.APP_ENV, errors };
}

// A client has its own connections and settings, so any number can be used side by side.
console.table(await Promise.all(process.argv.slice(2).map(errorsOf)));
