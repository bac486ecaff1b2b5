import { CommandFailure } from '../../output/command-failure.ts';
import { commandOf } from './resource.ts';

const COLUMNS = ['url', 'status', 'version'];

export const STATUS = commandOf(
  {
    usage: 'status',
    about: "Show the service's status and version. Exits with status 1 if the service is down.",
    examples: [
      ['logclient status', 'show the address, status and version'],
      ['logclient status -o json | jq -r .[0].version', 'print only the version, for a script'],
    ],
    columns: COLUMNS,
    async run({ client, settings: { url }, signal, write }) {
      const { status, version } = await client.getStatus({ signal });
      await write([{ url: url.value, status, version }], COLUMNS);
      if (/^down$/i.test(status)) throw new CommandFailure(`${url.value} reports that it is down.`);
      return undefined;
    },
  },
  { repository: false, token: false },
);
