import { CommandFailure } from '../../output/command-failure.ts';
import type { OutputFlags } from '../../output/output-flags.ts';
import type { ConnectionFlags } from '../../settings/connection-flags.ts';
import type { CommandRow } from '../command.ts';

/** `logclient status`: checks the service and shows its version. */
export const STATUS: CommandRow<ConnectionFlags & OutputFlags> = {
  usage: 'status',
  about: "Show the service's status and version. Exits with status 1 if the service is down.",
  output: 'list',
  connects: true,
  examples: [
    ['logclient status', 'show the address, status and version'],
    ['logclient status -o json | jq -r .[0].version', 'print only the version, for a script'],
  ],
  async run(flags) {
    const [{ withService }, { writeList }] = await Promise.all([
      import('../../settings/service.ts'),
      import('../../output/row-writer.ts'),
    ]);
    await withService(flags, { repository: false, token: false }, async ({ client, settings, signal }) => {
      const answer = await client.getStatus({ signal });
      const row = { url: settings.url.value, status: answer.status, version: answer.version };
      await writeList([row], ['url', 'status', 'version'], flags);
      if (/^down$/i.test(answer.status))
        throw new CommandFailure(`${settings.url.value} reports that it is down.`);
    });
  },
};
