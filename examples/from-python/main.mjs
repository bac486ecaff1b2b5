// Each call of a client or a job of the Python library `humiolib`, as a comment above the call that replaces it. Needs LOGSCALE_URL,
// LOGSCALE_TOKEN, LOGSCALE_REPOSITORY and LOGSCALE_INGEST_TOKEN.
import { LogClient, LogHTTPException, LogIngestClient } from 'logclient';

const {
  LOGSCALE_URL: baseUrl,
  LOGSCALE_TOKEN: userToken,
  LOGSCALE_REPOSITORY: repository,
  LOGSCALE_INGEST_TOKEN: ingestToken,
} = process.env;

// client = HumioClient(base_url=…, repository=…, user_token=…)
const client = new LogClient({ baseUrl, repository, userToken });
// ingest = HumioIngestClient(base_url=…, ingest_token=…)
const ingest = new LogIngestClient({ baseUrl, ingestToken });

/** Prints the result of the call that replaces a Python call. */
const show = (call, outcome) => console.log(`${call}: ${outcome}`);
show('HumioClient', client.constructor.name);
show('HumioIngestClient', ingest.constructor.name);

// Ingest

// ingest.ingest_json_data([{"tags": {"service": "stock"}, "events": [{"timestamp": "…", "attributes": {…}}]}])
const event = {
  timestamp: new Date().toISOString(),
  attributes: { level: 'error', store: { name: 'oslo' } },
};
await ingest.ingestJsonData([{ tags: { service: 'stock' }, events: [event] }]);
show('ingest_json_data', '1 event');

// ingest.ingest_messages(["…"], parser="kv", fields={"store": "bergen"}, tags={"service": "stock"})
const tags = { service: 'stock' };
await ingest.ingestMessages(['level=warn items=3'], { parser: 'kv', fields: { store: 'bergen' }, tags });
show('ingest_messages', '1 message');

// Queries

// for event in client.streaming_query("#service=stock level=error", start="1h"): …
for await (const found of client.streamingQuery('#service=stock level=error', { start: '1h' })) {
  show('streaming_query', found['store.name']);
}

// job = client.create_queryjob("#service=stock | count()", start="1h", is_live=False)
const job = await client.createQueryJob('#service=stock | count()', { start: '1h', isLive: false });
show('create_queryjob', job.constructor.name);

// job.query_id
show('query_id', typeof job.id);

// same = StaticQueryJob(job.query_id, base_url, repository, user_token). "session" is for load balancers
const same = client.queryJob(job.id, { session: job.session });
show('StaticQueryJob', (await same.poll()).events[0]._count);

// for page in job.poll_until_done(): …
for await (const page of job.pollUntilDone()) show('poll_until_done', page.events[0]._count);

// live = client.create_queryjob("…", is_live=True); live.poll(). Delete the job yourself; no finalizer does it
const live = await client.createQueryJob('#service=stock | count()', { start: '1h', isLive: true });
const { events } = await live.poll();
show('poll', events[0]._count);
await live.delete();

// Status and users

// client.get_status()
show('get_status', (await client.getStatus()).status);

// client.create_user("ada@example.org", isRoot=False)
const ada = await client.createUser('ada@example.org', { isRoot: false });
show('create_user', ada.email);

// client.get_users()
show(
  'get_users',
  (await client.getUsers()).some(({ email }) => email === ada.email),
);

// client.get_user_by_email("ada@example.org")
show('get_user_by_email', (await client.getUserByEmail(ada.email)).email);

// client.delete_user_by_email("ada@example.org")
show('delete_user_by_email', (await client.deleteUserByEmail(ada.email)).email);

// client.delete_user_by_id(user_id)
const bob = await client.createUser('bob@example.org');
show('delete_user_by_id', (await client.deleteUserById(bob.userID)).email);

// client.create_organization("acme", "makes everything")
await client.createOrganization('acme', { description: 'makes everything' });
show('create_organization', 'acme');

// client.list_organizations()
show(
  'list_organizations',
  (await client.listOrganizations()).some(({ name }) => name === 'acme'),
);

// Lookup files

// client.create_file("stores.csv")
show('create_file', (await client.createFile('stores.csv')).nameAndPath.name);

// client.add_file_contents("stores.csv", ["name", "city"], [["oslo", "Oslo"]]). Replaces the first 200 rows, as in Python
await client.addFileContents('stores.csv', ['name', 'city'], [['oslo', 'Oslo']]);
show('add_file_contents', '1 row');

// client.get_file_content("stores.csv", offset=0, limit=10)
const { totalLinesCount } = await client.getFileContent('stores.csv', { offset: 0, limit: 10 });
show('get_file_content', totalLinesCount);

// client.remove_file_contents("stores.csv", offset=0, limit=1)
await client.removeFileContents('stores.csv', { offset: 0, limit: 1 });
show('remove_file_contents', '1 row');

// client.upload_file("./stores.csv"); a path works too
await client.uploadFile({ name: 'stores.csv', content: 'name,city\nbergen,Bergen\n' });
show('upload_file', 'stores.csv');

// client.get_file("stores.csv", encoding="utf-8")
show('get_file', (await client.getFile('stores.csv', { encoding: 'utf-8' })).split('\n')[1]);

// client.list_files()
show(
  'list_files',
  (await client.listFiles()).map(({ nameAndPath }) => nameAndPath.name),
);

// client.delete_file("stores.csv")
show('delete_file', await client.deleteFile('stores.csv'));

// Saved queries

// client.create_saved_query("errors", "level=error")
const saved = await client.createSavedQuery('errors', 'level=error');
show('create_saved_query', saved.name);

// client.update_saved_query(id, "failures", "level=error or level=fatal"). Here, either can be omitted
const changes = { name: 'failures', queryString: 'level=error or level=fatal' };
show('update_saved_query', (await client.updateSavedQuery(saved.id, changes)).name);

// client.list_saved_queries()
show('list_saved_queries', (await client.listSavedQueries())[0].query.queryString);

// client.delete_saved_query(id)
show('delete_saved_query', await client.deleteSavedQuery(saved.id));

// Errors, and keyword arguments for `requests`

// except HumioHTTPException as error: print(error.status_code)
try {
  await client.query('level=(');
} catch (error) {
  show('HumioException', error instanceof LogHTTPException && error.statusCode);
}

// client.get_status(timeout=5, headers={…})
await client.getStatus({
  timeoutMs: 5_000,
  headers: { 'x-caller': 'docs' },
  signal: AbortSignal.timeout(9_000),
});
show('keyword arguments', 'timeoutMs, headers, signal');
