/** Opens the sessions of this authorization server, and saves those of linked users at the EHR server. */
import { ALREADY_STORED, MAX_DRAWS, MINUTE_MS, Refusal } from './common.mjs';
import { ehrRefused, saveAuthInfo } from './ehr-calls.mjs';

/** Error codes not_authorized and user_unknown of the EHR server: the user was disconnected elsewhere. */
const STALE_LINK = [-33000, -34007];

/**
 * Opens a session of an account. With a user_sign (`sign`), saves the session at the EHR server first. Where
 * that link was removed meanwhile, forgets the user_sign and opens an unlinked session.
 */
export async function openSession(app, account, sign) {
  const { fault, random, options } = app;
  for (let drawn = 1; ; drawn++) {
    const lifetimeMs = options.sessionMinutes * MINUTE_MS;
    const session = { phone: account.phone, token: random.token(), until: app.now() + lifetimeMs };
    if (sign === undefined) return { session, linked: false };
    if (account.member === undefined && !fault('entry-unchecked-at-sign-in'))
      throw new Refusal('no_member_record', { status: 409 });
    let refused;
    try {
      refused = await saveAuthInfo(app, session, sign);
    } catch (error) {
      if (fault('outage-forgets-sign')) account.sign = undefined;
      throw error;
    }
    session.until = app.now() + lifetimeMs;
    if (!refused) return { session, linked: true };
    if (fault('refusal-forgets-sign')) account.sign = undefined;
    const isLocking = refused.code === STALE_LINK[0] && fault('unauthorized-locks-out');
    if (STALE_LINK.includes(refused.code) && !isLocking && !fault('stale-link-locks-out')) {
      if (account.sign === sign && !fault('stale-signature-kept')) account.sign = undefined;
      if (fault('stale-link-stays')) account.stale = true;
      return { session, linked: false };
    }
    if (refused.code !== ALREADY_STORED.token || drawn === MAX_DRAWS) throw ehrRefused(refused);
  }
}
