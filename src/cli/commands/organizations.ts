import type { Organization } from '../../wire/organizations.ts';
import { withExamples } from '../examples.ts';
import type { Row } from '../output/row-format.ts';
import type { ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'description', 'id'];

interface CreateFlags extends ResourceFlags {
  readonly description?: string;
}

/** `logclient organizations`: who shares a service. */
export const organizationsCommand: ResourceCommand = {
  name: 'organizations',
  description: 'Show, list and create organizations.',
  needs: {
    repository: false,
  },
  define(organizations) {
    withExamples(
      organizations.command(
        'show',
        'The organization that the token belongs to.',
        async ({ service, flags, write }) => {
          await write(
            [rowOf(await service.client.getOrganization({ signal: service.signal }))],
            COLUMNS,
            flags,
          );
        },
      ),
      ['logclient organizations show', 'the own one'],
    );
    withExamples(
      organizations.command(
        'list',
        'All organizations of the service; takes the right to administer it.',
        async ({ service, flags, write }) => {
          const all = await service.client.listOrganizations({ signal: service.signal });
          const columns = COLUMNS.filter((name) => name !== 'description');
          await write(
            all.map(({ id, name }) => ({ name, id })),
            columns,
            flags,
          );
        },
      ),
      ['logclient organizations list', 'which are there?'],
    );
    withExamples(
      organizations
        .command<CreateFlags>(
          'create <name>',
          'Create an organization with nobody in it; takes the right to administer the service.',
          async ({ service, flags, write }, name) => {
            const { description } = flags;
            const created = await service.client.createOrganization(name, {
              description,
              signal: service.signal,
            });
            await write([rowOf(created)], COLUMNS, flags);
          },
        )
        .option('--description <text>', 'What it is for.'),
      ["logclient organizations create acme --description 'the shop'", 'a new one'],
    );
  },
};

function rowOf({ id, name, description }: Organization): Row {
  return { name, description: description ?? '', id };
}
