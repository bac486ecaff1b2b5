import type { Organization } from '../../core/wire/organizations.ts';
import { Registry, type RegistryOptions, taken } from './registry.ts';
import { checkLength, invalid } from './resource-error.ts';
import { resourceId } from './resource-id.ts';

const MAX_TEXT_LENGTH = 10_000;
const OWN = { id: 'SINGLE_ORGANIZATION_ID', name: 'SINGLE_ORGANIZATION_NAME' };

/** The organizations of a server. The first one is built in, and everything belongs to it. */
export class Organizations extends Registry<Organization> {
  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    super(folder, { noun: 'organization', file: 'organizations.json', texts: ['id', 'name'], max: 1000 });
  }

  get own(): Organization {
    return this.list()[0]!;
  }

  override list(): Organization[] {
    const saved = super.list();
    return saved[0]?.id === OWN.id ? saved : [OWN, ...saved];
  }

  /** @throws ResourceError if a value is invalid, or the ID is taken */
  create({ id = resourceId(), ...details }: Omit<Organization, 'id'> & { id?: string }): Organization {
    const { name, description } = details;
    if (name.trim() === '') {
      throw invalid('The name must not be empty.', 'name');
    }
    for (const [member, text] of Object.entries({ name, description, id }))
      checkLength(member, text, MAX_TEXT_LENGTH);
    if (this.list().some((known) => known.id === id)) {
      throw taken('An organization with this id already exists.', 'id');
    }
    return this.put({ id, name, description });
  }
}
