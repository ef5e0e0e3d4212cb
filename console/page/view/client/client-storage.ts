/**
 * What the client in the frame keeps in the browser. It shares the storage with this page, and names its part
 * by the path of its page.
 */
import type { HeldSession } from '../../../api.ts';

type KeptStorage = Pick<Storage, 'length' | 'key' | 'removeItem'>;
type Storages = Readonly<Record<'tab' | 'device', Pick<Storage, 'setItem'>>>;

/**
 * Writes what the client goes on with once it loads, in the form of our own client.
 * @param place the path of the client's page, such as `/client/`
 */
export function keepSession(place: string, held: HeldSession, { tab, device }: Storages): void {
  const { phone, session, userSign, reportDue } = held;
  const attribute = { kind: 'phone', value: phone };
  tab.setItem(`${place} my-records.tab`, JSON.stringify({ at: 'session', attribute, session, reportDue }));
  if (userSign !== undefined) device.setItem(`${place} my-records.user-sign:phone:${phone}`, userSign);
}

/** @param place the path of the client's page, such as `/client/` */
export function emptyClientStorage(place: string, storages: readonly KeptStorage[]): void {
  for (const storage of storages) {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
    for (const key of keys) if (key?.startsWith(`${place} `)) storage.removeItem(key);
  }
}
