/** The authorization server that the script of a case plays for a client. */

/** The functions that are written into the script. */
export const authFunctions: Readonly<Record<string, string>> = {
  authAnswer: `
/** The authorization server as a client sees it. */
function authAnswer({ method, params, cred }) {
  const { phone, code, ehr_user_sign: kept, user_sign: sign } = params ?? {};
  if (method === 'auth.request_otp') {
    if (!/^\\d{5,15}$/.test(phone)) return refused(-32602, 'invalid_params');
    const drawn = draw('code', '0' + String(randomInt(100_000)).padStart(5, '0'));
    known.codes.set(phone, { code: drawn, failures: 0, until: now() + 300_000 });
    return { result: { digits: 6, expiresIn: 300, resendAfter: 0 } };
  }
  if (method === 'auth.confirm_otp') {
    if (typeof code !== 'string') return refused(-32602, 'invalid_params');
    const unconfirmed = refusedCode(phone, code);
    if (unconfirmed) return unconfirmed;
    known.codes.delete(phone);
    if (!known.users.has(phone)) known.users.set(phone, draw('user'));
    return { result: signedIn(known.users.get(phone), kept) };
  }
  const session = known.sessions.get(cred?.token);
  if (!session?.isOpen || session.user !== cred.user) return refused(-33000, 'not_authorized');
  if (now() >= session.until) return refused(-33001, 'session_expired');
  if (method === 'auth.exchange_token') {
    const exchangeToken = draw('exchangeToken');
    known.tokens.set(exchangeToken, { session, failures: 0, until: now() + 600_000 });
    return { result: { exchangeToken } };
  }
  if (method === 'auth.report_link') {
    if (typeof sign !== 'string') return refused(-32602, 'invalid_params');
    if (known.links.get(session.user)?.sign !== sign) return refused(-36003, 'ehr_refused');
    known.reported.set(session.user, sign);
  } else if (method === 'auth.logout') session.isOpen = false;
  else if (method === 'auth.delete_user') {
    for (const each of known.sessions.values()) if (each.user === session.user) each.isOpen = false;
    for (const [phone, user] of known.users) if (user === session.user) known.users.delete(phone);
  } else return refused(-32601, 'method_not_found');
  return { result: {} };
}`,
  refusedCode: `
function refusedCode(phone, code) {
  const sent = known.codes.get(phone);
  if (!sent) return refused(-35000, 'otp_wrong');
  if (sent.failures >= 5) return refused(-35002, 'otp_exhausted');
  if (now() >= sent.until) return refused(-35001, 'otp_expired');
  if (code.replace(/\\s/g, '') === sent.code) return undefined;
  sent.failures += 1;
  return refused(-35000, 'otp_wrong');
}`,
  signedIn: `
/** Opens a session; at the EHR server too, where the user is linked and the signature of the link is known. */
function signedIn(user, kept) {
  const link = known.links.get(user);
  const sign = kept ?? known.reported.get(user);
  const linked = link !== undefined && link.sign === sign;
  if (linked) known.reported.set(user, sign);
  else known.reported.delete(user);
  const session = { user, isOpen: true, link: linked ? link : undefined, until: now() + 1_440 * 60_000 };
  const token = draw('token');
  known.sessions.set(token, session);
  return { authInfo: { user, token, ttl: 1_440 }, linked };
}`,
};
