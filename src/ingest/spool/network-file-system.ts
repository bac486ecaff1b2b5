import { statfsSync } from 'node:fs';

/** What Linux calls them: NFS, SMB, CIFS, SMB 2. */
const NETWORK_TYPES = [0x6969, 0x517b, 0xff534d42, 0xfe534d42];

/** Whether a folder is shared with other machines, of whose processes nobody here can tell whether they live. */
export function isOnNetwork(folder: string): boolean {
  try {
    return process.platform === 'linux' && NETWORK_TYPES.includes(statfsSync(folder).type);
  } catch {
    return false;
  }
}
