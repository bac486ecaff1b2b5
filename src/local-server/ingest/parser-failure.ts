import type { StoredEvent } from '../store/stored-event.ts';

/** What an event gets that its parser can't read: it is stored all the same. */
export function failureFields(message: string): StoredEvent {
  return { '@error': 'true', '@event_parsed': 'false', '@error_msg': message };
}
