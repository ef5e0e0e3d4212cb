/** The operations of the harness on the correspondence table. */
import { readAttribute } from '../otp/attribute.ts';
import type { Directory, EntrySummary } from '../store/store.ts';

export type Correspondence = {
  list(): EntrySummary[];
  /** False: there is no such entry. The user stays and gets no new one. */
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
