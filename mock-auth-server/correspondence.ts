/** The correspondence table as the harness may handle it. */
import { readAttribute } from './attribute.ts';
import type { Directory, EntrySummary } from './store/directory.ts';

export type Correspondence = {
  list(): EntrySummary[];
  /** Removes the entry of a public user id, phone or e-mail address; false when there is none. The user stays, and gets no new one. */
  remove(user: string): boolean;
};

export function openCorrespondence(directory: Directory): Correspondence {
  return {
    list: () => directory.listEntries(),
    remove(user) {
      const attribute = readAttribute(user);
      const owner = attribute && directory.userOf(attribute);
      return directory.removeEntry(owner ?? user);
    },
  };
}
