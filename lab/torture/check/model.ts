/**
 * The state table of §3 for the checker: what a call may do to a state, given its outcome. Pure functions,
 * which also handle unknown outcomes and signatures that no reply has shown yet.
 */
import { EXCHANGE_TOKEN_LIFETIME_MS, MAX_FAILED_MATCHES, MAX_PENDING_EXCHANGE_TOKENS } from '#protocol/limits.ts';
import type { Call, Outcome, Snapshot } from './history.ts';
import type { Exchange, Link, Session, State } from './state.ts';

/** An outcome that the model allows, and the state after it. */
type Ending = { readonly outcome: Exclude<Outcome, { kind: 'unknown' }>; readonly next: State };

/** Tells whether a call of unknown outcome can have changed the final rows. Rows are never deleted. */
export function canHaveWorked(call: Call, { sessions, exchanges }: Snapshot, calls: readonly Call[]): boolean {
  switch (call.method) {
    case 'saveExchangeToken': {
      const row = exchanges[call.exchange];
      return row !== undefined && row.user === call.user && row.token === call.token;
    }
    case 'authenticate': {
      const row = exchanges[call.exchange];
      return row !== undefined && (row.failures > 0 || (row.used && call.patient !== undefined));
    }
    case 'saveAuthInfo':
      return sessions[call.token] !== undefined;
    case 'getPatient':
      return false;
    case 'removeAuthInfo': {
      // A session that is open at the end may have been opened anew.
      const row = sessions[call.token];
      const isNamed = (other: Call) => other.method === 'saveExchangeToken' && other.token === call.token;
      return row !== undefined && (row.ended || calls.some(isNamed));
    }
    case 'removeAuthentication':
      return true;
  }
}

/**
 * Returns the states to which the call may have led if it took effect in `state`: none when its outcome
 * contradicts the state. For an unknown outcome, returns the states that differ from `state`; `state` itself
 * stands for "no effect".
 */
export function after(state: State, call: Call): State[] {
  const { outcome } = call;
  const endings = endingsOf(state, call);
  if (outcome.kind === 'unknown') return endings.filter(({ next }) => next !== state).map(({ next }) => next);
  return endings.filter((ending) => agree(ending.outcome, outcome)).map(({ next }) => next);
}

function endingsOf(state: State, call: Call): Ending[] {
  switch (call.method) {
    case 'saveExchangeToken':
      return [saveExchangeToken(state, call)];
    case 'authenticate':
      return authenticate(state, call);
    case 'saveAuthInfo':
      return saveAuthInfo(state, call);
    case 'getPatient':
      return getPatient(state, call);
    case 'removeAuthInfo': {
      if (!isHeld(state, call)) return [refuse(state, 'not_authorized')];
      const exchanges = state.exchanges.map((each) => (each && isOf(each, call) ? { ...each, used: true } : each));
      return [{ outcome: { kind: 'ok' }, next: { ...withSession(state, call.token, ENDED), exchanges } }];
    }
    case 'removeAuthentication': {
      if (!isHeld(state, call)) return [refuse(state, 'not_authorized')];
      const links = state.links.with(call.user, undefined);
      const sessions = state.sessions.map((session) => (session?.user === call.user ? ENDED : session));
      const exchanges = state.exchanges.map((each) => (each?.user === call.user ? { ...each, used: true } : each));
      return [{ outcome: { kind: 'ok' }, next: { links, sessions, exchanges, signs: state.signs } }];
    }
  }
}

const ENDED: Session = { user: undefined, recorded: false, ended: true };

function saveExchangeToken(state: State, call: Call & { method: 'saveExchangeToken' }): Ending {
  const { exchange, user, token } = call;
  if (state.exchanges[exchange]) return refuse(state, 'exchange_token_already_stored');
  if (!mayOpen(state.sessions[token], user)) return refuse(state, 'token_already_stored');
  const savedUntil = call.outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : call.answeredAt;
  const order = state.exchanges.filter((each) => each && isOf(each, call)).length;
  const stored: Exchange = { user, token, failures: 0, used: false, order, savedFrom: call.sentAt, savedUntil };
  return { outcome: { kind: 'ok' }, next: withExchange(state, exchange, stored) };
}

function authenticate(state: State, call: Call & { method: 'authenticate' }): Ending[] {
  const { exchange, patient } = call;
  const pending = state.exchanges[exchange];
  if (!pending || pending.used || isOvertaken(state, pending)) return [refuse(state, 'exchange_token_unknown')];
  const endings: Ending[] = [];
  const answeredAt = call.outcome.kind === 'unknown' ? Number.POSITIVE_INFINITY : call.answeredAt;
  if (answeredAt >= pending.savedFrom + EXCHANGE_TOKEN_LIFETIME_MS)
    endings.push(refuse(state, 'exchange_token_expired'));
  if (call.sentAt >= pending.savedUntil + EXCHANGE_TOKEN_LIFETIME_MS) return endings;
  if (pending.failures >= MAX_FAILED_MATCHES) return [...endings, refuse(state, 'exchange_token_exhausted')];
  const failed = withExchange(state, exchange, { ...pending, failures: pending.failures + 1 });
  if (patient === undefined) return [...endings, refuse(failed, 'patient_not_matched')];
  const { user, token } = pending;
  const session = state.sessions[token];
  if (!mayOpen(session, user)) return [...endings, refuse(state, 'token_already_stored')];
  const link = state.links[user];
  if (link && link.patient !== patient) return [...endings, refuse(failed, 'patient_already_matched')];
  if (!link && state.links.some((other) => other?.patient === patient))
    return [...endings, refuse(failed, 'patient_already_linked')];
  const used = withExchange(state, exchange, { ...pending, used: true });
  const open = !session || session.ended ? withSession(used, token, { user, recorded: false, ended: false }) : used;
  const linked = link ? open : { ...open, links: open.links.with(user, { patient, sign: undefined }) };
  return [...endings, ...shown(linked, user, call.outcome)];
}

function saveAuthInfo(state: State, call: Call & { method: 'saveAuthInfo' }): Ending[] {
  const { user, token, sign } = call;
  const link = state.links[user];
  if (!link) return [refuse(state, 'user_unknown')];
  if (link.sign === undefined) {
    // No reply has shown the signature of this link. The sent signature may be right or wrong.
    const endings = state.signs.includes(sign) ? [] : save(bind(state, user, link, sign), user, token);
    return [...endings, refuse(state, 'not_authorized')];
  }
  return link.sign === sign ? save(state, user, token) : [refuse(state, 'not_authorized')];
}

function save(state: State, user: number, token: number): Ending[] {
  const session = state.sessions[token];
  const isFirst = !session || (session.user === user && !session.recorded && !session.ended);
  if (!isFirst) return [refuse(state, 'token_already_stored')];
  return [{ outcome: { kind: 'ok' }, next: withSession(state, token, { user, recorded: true, ended: false }) }];
}

function getPatient(state: State, call: Call & { method: 'getPatient' }): Ending[] {
  if (!isHeld(state, call) || !state.links[call.user]) return [refuse(state, 'not_authorized')];
  return shown(state, call.user, call.outcome);
}

/** Returns the outcomes that show the link of `user` to the client. The reply may reveal its signature. */
function shown(state: State, user: number, seen: Outcome): Ending[] {
  const link = state.links[user] as Link;
  const reply = (sign: number): Ending['outcome'] => ({ kind: 'ok', patient: link.patient, sign });
  if (link.sign !== undefined) return [{ outcome: reply(link.sign), next: state }];
  if (seen.kind !== 'ok' || seen.sign === undefined) return [{ outcome: reply(-1), next: state }];
  if (state.signs.includes(seen.sign)) return [];
  return [{ outcome: reply(seen.sign), next: bind(state, user, link, seen.sign) }];
}

function bind(state: State, user: number, link: Link, sign: number): State {
  return {
    ...state,
    links: state.links.with(user, { ...link, sign }),
    signs: [...state.signs, sign].sort((a, b) => a - b),
  };
}

function isHeld(state: State, { user, token }: { user: number; token: number }): boolean {
  const session = state.sessions[token];
  return session !== undefined && !session.ended && session.user === user;
}

function isOf(exchange: Exchange, { user, token }: { user: number; token: number }): boolean {
  return exchange.user === user && exchange.token === token;
}

/** Tells whether five newer exchange tokens of its session were saved (decision 36). */
function isOvertaken({ exchanges }: State, exchange: Exchange): boolean {
  const ofSession = exchanges.filter((each) => each && isOf(each, exchange)).length;
  return ofSession - 1 - exchange.order >= MAX_PENDING_EXCHANGE_TOKENS;
}

/** Tells whether the session is free, ended, or a live session of the same user (decision 21a). */
function mayOpen(session: Session | undefined, user: number): boolean {
  return !session || session.ended || session.user === user;
}

function refuse(next: State, reason: (Outcome & { kind: 'refused' })['reason']): Ending {
  return { outcome: { kind: 'refused', reason }, next };
}

function withSession(state: State, token: number, session: Session): State {
  return { ...state, sessions: state.sessions.with(token, session) };
}

function withExchange(state: State, exchange: number, value: Exchange): State {
  return { ...state, exchanges: state.exchanges.with(exchange, value) };
}

function agree(expected: Ending['outcome'], seen: Ending['outcome']): boolean {
  if (expected.kind === 'refused') return seen.kind === 'refused' && expected.reason === seen.reason;
  return seen.kind === 'ok' && expected.patient === seen.patient && expected.sign === seen.sign;
}
