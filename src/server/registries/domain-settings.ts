import { present, Registry, type RegistryOptions } from './registry.ts';
import { checkLength } from './resource-error.ts';

interface DomainSetting {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** Whether the web interface of the service runs a query when a user opens the repository. */
  readonly automaticSearch?: boolean | undefined;
}

const MAX_DESCRIPTION_LENGTH = 10_000;

/** Settings of repositories and views by name, without defaults. */
export class DomainSettings extends Registry<DomainSetting> {
  constructor({ folder }: Pick<RegistryOptions, 'folder'>) {
    const max = Number.POSITIVE_INFINITY;
    super(folder, { noun: 'repository', file: 'search-domain-settings.json', texts: ['name'], max });
  }

  /** Changes settings; `undefined` and `null` unset them. */
  change(name: string, changes: Omit<DomainSetting, 'name'>): void {
    checkLength('description', changes.description, MAX_DESCRIPTION_LENGTH);
    const settings = present({ ...this.get(name), ...changes, name });
    if (Object.keys(settings).length > 1) this.put(settings);
    else if (this.get(name) !== undefined) this.remove(name);
  }

  /** Sets the settings of a name that was not used, and removes all others. */
  reset(name: string, settings: Omit<DomainSetting, 'name'> = {}): void {
    this.change(name, { description: undefined, automaticSearch: undefined, ...settings });
  }
}
