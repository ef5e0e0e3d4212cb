/** Names what a reply of the EHR server told of another user, in words for the report. */

/** What a value of the run is, and the user whom it belongs to. */
export type Owned = {
  what: 'user' | 'session token' | 'exchange token' | 'user_sign' | 'digest';
  user: string;
};

/** What the signature of another user is called where it is told. */
export const SIGN_OF_OTHER = 'the user_sign of another user';

/**
 * Says what a value in a reply is that the caller need not know; undefined where the caller may have it.
 * @param isOwn whether the value belongs to the user of the call
 */
export function wordsOf(
  { what }: Owned,
  { isOwn, isAnnouncement }: { isOwn: boolean; isAnnouncement: boolean },
) {
  if (what === 'digest') return 'the digest of a call of the internal channel';
  if (!isOwn) return what === 'user' ? 'another user' : `the ${what} of another user`;
  if (what === 'session token') return 'the token of another session';
  return isAnnouncement && what === 'user_sign'
    ? 'the user_sign, to a caller who need not hold it'
    : undefined;
}
