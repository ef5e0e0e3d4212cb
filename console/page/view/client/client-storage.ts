/**
 * What the client in the frame keeps in the browser. It shares the storage with this page, and names its part
 * by the path of its page.
 */
type KeptStorage = Pick<Storage, 'length' | 'key' | 'removeItem'>;

/** @param place the path of the client's page, such as `/client/` */
export function emptyClientStorage(place: string, storages: readonly KeptStorage[]): void {
  for (const storage of storages) {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
    for (const key of keys) if (key?.startsWith(`${place} `)) storage.removeItem(key);
  }
}
