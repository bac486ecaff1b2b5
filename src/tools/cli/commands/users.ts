import type { User, UserDetails } from '../../../core/wire/users.ts';
import { existing, usageFailure } from '../../output/command-failure.ts';
import { type Call, type Resource, requireChanges } from './resource.ts';

const COLUMNS = ['email', 'userID', 'isRoot'];
const DETAIL_COLUMNS = ['email', 'userID', 'username', 'fullName', 'company', 'isRoot', 'createdAt'];

export const USERS: Resource = {
  name: 'users',
  about: 'Manage users.',
  needs: { repository: false },
  operations: [
    {
      usage: 'list',
      about: 'List all users.',
      examples: [['logclient users list', 'list all users']],
      columns: COLUMNS,
      run: async ({ client, signal }) => (await client.getUsers({ signal })).map(rowOf),
    },
    {
      usage: 'show <email>',
      about: 'Show a user.',
      examples: [['logclient users show ann@example.com', 'show one user']],
      columns: DETAIL_COLUMNS,
      async run(call, email) {
        const { client, signal } = call;
        return [detailRowOf(known(await client.getUser(await userId(call, email), { signal }), email))];
      },
    },
    {
      usage: 'me',
      about: "Show the token's owner.",
      examples: [['logclient users me', "show the token's owner"]],
      columns: DETAIL_COLUMNS,
      run: async ({ client, signal }) => [detailRowOf(await client.getCurrentUser({ signal }))],
    },
    {
      usage: 'create <email>',
      about: 'Create a user.',
      flags: [
        ['--root', 'Grant permission to administer the service.'],
        [
          '--if-exists <policy>',
          'If the user exists: fail with exit status 3 (error), change nothing (keep), or set --root (update). Default: keep.',
          ['error', 'keep', 'update'],
        ],
      ],
      examples: [['logclient users create bob@example.com', 'create a user']],
      columns: COLUMNS,
      async run({ client, signal, flags: { root: isRoot, ifExists } }, email) {
        if (!email.includes('@')) throw usageFailure(`"${email}" is not an email address.`);
        return [rowOf(await client.createUser(email, { isRoot, ifExists, signal }))];
      },
    },
    {
      usage: 'update <email>',
      about: "Update a user. Fields that you don't set stay the same.",
      flags: [
        ['--email <email>', 'New email address.'],
        ['--username <name>', 'New login name.'],
        ['--full-name <name>', 'New full name.'],
        ['--first-name <name>', 'New first name.'],
        ['--last-name <name>', 'New last name.'],
        ['--company <name>', 'New company.'],
        ['--root', 'Grant permission to administer the service.'],
        ['--no-root', 'Revoke permission to administer the service.'],
      ],
      examples: [
        ["logclient users update ann@example.com --full-name 'Ann Lee'", 'change the full name'],
        ['logclient users update ann@example.com --no-root', 'revoke permission to administer the service'],
      ],
      columns: DETAIL_COLUMNS,
      async run(call, user) {
        const { client, signal, flags } = call;
        const { email, username, fullName, firstName, lastName, company, root: isRoot } = flags;
        const changes = { email, username, fullName, firstName, lastName, company, isRoot };
        requireChanges(changes, '--full-name, --company, --root or another flag shown by --help');
        return [detailRowOf(await client.updateUser(await userId(call, user), { ...changes, signal }))];
      },
    },
    {
      usage: 'delete <email>',
      about: 'Delete a user.',
      examples: [['logclient users delete eve@example.com --yes', 'delete without a confirmation prompt']],
      deletes: (email) => `the user ${email}`,
      async run({ client, signal }, email) {
        known(await client.deleteUserByEmail(email, { signal }), email);
        return `deleted the user ${email}.`;
      },
    },
  ],
};

async function userId({ client, signal }: Call, email: string): Promise<string> {
  return known(await client.getUserByEmail(email, { signal }), email).userID;
}

function known<Found>(user: Found | undefined, email: string): Found {
  return existing(user, `user ${email}`, 'users');
}

const detailRowOf = (user: UserDetails): object => ({ ...user, userID: user.id });

const rowOf = (user: User): object => ({ isRoot: false, ...user });
