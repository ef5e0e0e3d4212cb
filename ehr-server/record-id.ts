/** Ids of stored records: opaque, and telling nothing of the user or the token (decision 17). */
import { type Random, randomToken } from '#protocol/time/random.ts';

export function newRecordId(random: Random): string {
  return randomToken(random, 16);
}
