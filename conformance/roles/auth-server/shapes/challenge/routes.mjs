/**
 * The routes for clients of this authorization server. Each resolves to HTTP status, body and further
 * headers. The code under `fault(name)` runs only in a server that is wrong on purpose.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { claim, countSend, drawCode, newChallenge, openedSession, phoneOf, sendSms } from './codes.mjs';
import {
  ALREADY_STORED,
  accountOf,
  endSessions,
  forgetChallenges,
  forgetTries,
  keyOf,
  MAX_DRAWS,
  Refusal,
  SLOW_PART_MS,
} from './common.mjs';
import { ehrRefused, readRecord, saveAuthInfo, saveExchangeToken } from './ehr-calls.mjs';
import { openSession } from './sign-in.mjs';

/** The key is HTTP method and path. `session` and `key` are those of the bearer that the request shows. */
export const routes = {
  'POST /otp': async (app, { body, claimed }) => {
    const { state, fault } = app;
    const [asked, ...others] = fault('every-phone-of-list-sent') ? [body.phone].flat() : [body.phone];
    const phone = phoneOf({ phone: asked });
    countSend(app, phone, claimed);
    const account = accountOf(app, phone);
    if (fault('unknown-phones-told') && !account) throw new Refusal('not_registered', { status: 404 });
    if (fault('unlisted-told-at-start') && account && account.member === undefined)
      throw new Refusal('no_member_record', { status: 403 });
    const code = drawCode(app);
    const challenge = newChallenge(app, phone, code, account);
    if (!fault('old-challenge-lives')) forgetChallenges(state, phone);
    if (fault('tries-evicted')) forgetTries(state);
    state.challenges.set(challenge, {
      phone,
      code,
      tries: 0,
      until: app.now() + app.options.otpLifetimeSeconds * 1_000,
    });
    if (fault('save-before-confirmation') && account?.sign) await openSession(app, account, account.sign);
    // The client does not wait for the gateway, so the duration does not reveal who is registered.
    const shown = fault('code-printed-as-number') ? Number(code) : code;
    const sending = account && sendSms(app, phone, `Your code is ${shown}.`).catch(() => undefined);
    if (fault('gateway-refusal-ignored')) await sending;
    if (fault('zeros-after-gateway-failure'))
      sending?.then((answer) => {
        if (!answer?.ok) state.challenges.get(challenge).code = '000000';
      });
    for (const other of others) sendSms(app, other, `Your code is ${code}.`).catch(() => undefined);
    const reply = fault('code-in-reply') ? { challenge, code } : { challenge };
    return [202, reply, fault('code-in-header') ? { 'x-debug': `code=${code}` } : {}];
  },

  'POST /otp/confirm': async (app, { body, claimed }) => {
    const { state, fault, busy } = app;
    const { sent, account } = await claim(app, body, claimed);
    const { removals } = account;
    const given = typeof body.ehrSign === 'string' && body.ehrSign !== '' ? body.ehrSign : undefined;
    try {
      if (given && fault('given-sign-kept-first')) account.sign = given;
      const { session, linked } = await openSession(app, account, given ?? account.sign);
      if (account.removals !== removals && !fault('sign-in-outlives-deletion'))
        throw new Refusal('code_not_accepted', { status: 401 });
      if (linked && given) account.sign = given;
      if (fault('used-code-not-stored')) app.unstored.challenges.push([body.challenge, sent]);
      if (fault('used-code-emptied')) sent.code = '';
      else if (!fault('code-works-twice')) state.challenges.delete(body.challenge);
      if (fault('pause-reset-by-success')) state.sends.delete(sent.phone);
      const bearer = app.random.token();
      state.sessions.set(keyOf(bearer, app), session);
      for (const [key, each] of app.revivable) if (each.phone === sent.phone) state.sessions.set(key, each);
      app.last = session;
      if (fault('correspondence-looked-up-once')) session.member = account.member;
      const ttl = app.options.sessionMinutes - (fault('ttl-told-shorter') ? 60 : 0);
      const token = fault('bearer-told-as-token') ? bearer : session.token;
      const reply = { access: { bearer }, ehr: { user: account.id, token, ttl }, linked };
      if (fault('phones-in-reply')) reply.phones = [...state.accounts.keys()];
      return [200, fault('accounts-in-reply') ? { ...reply, accounts: [...state.accounts.values()] } : reply];
    } finally {
      busy.delete(body.challenge);
    }
  },

  'POST /ehr/token': async (app, { session: asking, key }) => {
    const { state, fault } = app;
    const account = accountOf(app, asking.phone);
    if (fault('exchange-token-once')) {
      if (asking.asked) throw new Refusal('token_given_already', { status: 409 });
      asking.asked = true;
    }
    let session = asking;
    if (fault('auth-info-of-last-session')) session = app.last ?? asking;
    if (fault('exchange-token-of-first-session')) {
      session = [...state.sessions.values()].find(({ phone }) => phone === asking.phone) ?? asking;
    }
    if (fault('save-with-exchange-token') && account.sign) await saveAuthInfo(app, session, account.sign);
    if (fault('exchange-token-repeated') && session.given) return [201, { exchangeToken: session.given }];
    for (let drawn = 1; ; drawn++) {
      const exchangeToken = app.random.token();
      if (fault('token-never-stored')) return [201, { exchangeToken }];
      if (fault('token-before-stored')) {
        sleep(SLOW_PART_MS)
          .then(() => saveExchangeToken(app, session, exchangeToken))
          .catch(() => undefined);
        return [201, { exchangeToken }];
      }
      const refused = await saveExchangeToken(app, session, exchangeToken);
      if (refused && (refused.code !== ALREADY_STORED.exchangeToken || drawn === MAX_DRAWS))
        throw ehrRefused(refused);
      if (refused) continue;
      // A logout or a deletion may have ended the session meanwhile.
      if (!state.sessions.has(key) && !fault('logout-not-looked-at')) {
        if (fault('session-written-back')) state.sessions.set(key, asking);
        throw new Refusal('sign_in_first', { status: 401 });
      }
      if (fault('exchange-token-repeated')) session.given = exchangeToken;
      return [201, fault('digest-in-reply') ? { exchangeToken, sent: app.lastCred } : { exchangeToken }];
    }
  },

  'POST /ehr/link': async (app, { body: { sign }, session, key }) => {
    const { state, fault } = app;
    const account = accountOf(app, session.phone);
    if (typeof sign !== 'string' || sign === '') throw new Refusal('sign_missing', { status: 422 });
    if ((session.member ?? account.member) === undefined)
      throw new Refusal('no_member_record', { status: 409 });
    if (fault('stale-link-stays') && account.stale) throw new Refusal('linked_already', { status: 409 });
    if (fault('second-report-not-sent') && account.sign) return [204];
    if (fault('reads-before-save')) await readRecord(app, session);
    const others = fault('link-saves-all') ? [...state.sessions.values()] : [];
    for (const other of others)
      if (other.phone === session.phone && other !== session) await saveAuthInfo(app, other, sign);
    const refused = await saveAuthInfo(app, session, sign);
    // "Token stored already" is a success here: an earlier save of this session was executed, and its reply
    // lost.
    if (refused && (refused.code !== ALREADY_STORED.token || fault('own-repeat-refused'))) {
      if (fault('refused-report-forgets-sign')) account.sign = undefined;
      throw ehrRefused(refused);
    }
    if (!state.sessions.has(key)) throw new Refusal('sign_in_first', { status: 401 });
    if (fault('signature-not-kept')) return [204];
    if (fault('signature-of-last-link'))
      for (const each of state.accounts.values()) each.sign = each.sign && sign;
    account.sign = fault('signature-cut') ? sign.slice(0, 32) : sign;
    if (fault('long-sign-cut-in-column')) account.sign = sign.slice(0, 255);
    if (fault('link-ends-others')) {
      endSessions(state, session.phone);
      state.sessions.set(key, session);
    }
    return [204];
  },

  'POST /logout': async (app, { session, key }) => {
    const { state, fault, unstored } = app;
    if (fault('logout-forgets-sign')) accountOf(app, session.phone).sign = undefined;
    if (fault('logout-not-stored')) unstored.sessions.push([key, session]);
    if (fault('session-revived-by-sign-in')) app.revivable.push([key, session]);
    state.sessions.delete(key);
    if (fault('logout-ends-all')) endSessions(state, session.phone);
    if (fault('logout-opens-session')) return [200, openedSession(app, accountOf(app, session.phone))];
    return [204];
  },

  // The registration stays, and so does the count of sent codes; signature, sessions and challenges are
  // removed.
  'DELETE /ehr': async (app, { session, key }) => {
    const { state, fault } = app;
    const { phone } = session;
    if (fault('deletion-not-stored')) app.unstored.sessions.push([key, session]);
    const account = accountOf(app, phone);
    account.sign = undefined;
    account.removals++;
    forgetChallenges(state, phone);
    state.sessions.delete(key);
    if (!fault('deletion-leaves-others')) endSessions(state, phone);
    if (fault('pause-reset-by-deletion')) state.sends.delete(phone);
    return [204];
  },
};
/** Routes that need no session. */
export const OPEN_TO_ALL = ['POST /otp', 'POST /otp/confirm'];
