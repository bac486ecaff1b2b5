import type { Organization } from '../../../core/wire/organizations.ts';
import type { Row } from '../../output/row-format.ts';
import { withExamples } from '../examples.ts';
import type { ResourceCommand, ResourceFlags } from './resource.ts';

const COLUMNS = ['name', 'description', 'id'];

interface CreateFlags extends ResourceFlags {
  readonly description?: string;
}

/** `logclient organizations`: organizations of the service. */
export const organizationsCommand: ResourceCommand = {
  name: 'organizations',
  description: 'Manage organizations.',
  needs: {
    repository: false,
  },
  define(organizations) {
    withExamples(
      organizations.command('show', "Show the token's organization.", async ({ service, flags, write }) => {
        await write(
          [rowOf(await service.client.getOrganization({ signal: service.signal }))],
          COLUMNS,
          flags,
        );
      }),
      ['logclient organizations show', "show the token's organization"],
    );
    withExamples(
      organizations.command(
        'list',
        'List all organizations. Requires permission to administer the service.',
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
      ['logclient organizations list', 'list names and IDs'],
    );
    withExamples(
      organizations
        .command<CreateFlags>(
          'create <name>',
          'Create an organization without users. Requires permission to administer the service.',
          async ({ service, flags, write }, name) => {
            const { description } = flags;
            const created = await service.client.createOrganization(name, {
              description,
              signal: service.signal,
            });
            await write([rowOf(created)], COLUMNS, flags);
          },
        )
        .option('--description <text>', 'Description of the organization.'),
      ["logclient organizations create acme --description 'the shop'", 'create an organization'],
    );
  },
};

function rowOf({ id, name, description }: Organization): Row {
  return { name, description: description ?? null, id };
}
