/** A state of the model in `model.ts`: its content, its key, and whether it fits the rows of the database. */
import type { Call, History, Snapshot } from './history.ts';

export type Link = {
  readonly patient: number;
  /** Undefined until a reply shows it. */
  readonly sign: number | undefined;
};
export type Session = { readonly user: number | undefined; readonly recorded: boolean; readonly ended: boolean };
export type Exchange = {
  readonly user: number;
  readonly token: number;
  readonly failures: number;
  readonly used: boolean;
  /** Number of exchange tokens of the same session that were saved before this one. */
  readonly order: number;
  /** The token was saved between these two times. */
  readonly savedFrom: number;
  readonly savedUntil: number;
};

export type State = {
  readonly links: readonly (Link | undefined)[];
  readonly sessions: readonly (Session | undefined)[];
  readonly exchanges: readonly (Exchange | undefined)[];
  /** Signatures of present and past links. A new link never gets one of them (decision 15). */
  readonly signs: readonly number[];
};

/** Returns the empty state, with room for everything that the calls name. */
export function emptyState({ users, calls }: History): State {
  const room = (number: (call: Call) => number) =>
    Array<undefined>(calls.reduce((most, call) => Math.max(most, number(call) + 1), 0)).fill(undefined);
  return {
    links: Array<undefined>(users).fill(undefined),
    sessions: room((call) => ('token' in call ? call.token : -1)),
    exchanges: room((call) => ('exchange' in call ? call.exchange : -1)),
    signs: [],
  };
}

/** Tells whether the database may hold `snapshot` in this state. */
export function fits(state: State, snapshot: Snapshot): boolean {
  const seen = new Set<number>();
  return (
    snapshot.links.every((row, user) => {
      const link = state.links[user];
      if (!link || !row) return link === row;
      const isNew = link.sign === undefined && !state.signs.includes(row.sign) && !seen.has(row.sign);
      seen.add(row.sign);
      return link.patient === row.patient && (link.sign === row.sign || isNew);
    }) &&
    snapshot.sessions.every((row, token) => {
      const session = state.sessions[token];
      if (!session || !row) return session === row;
      return (
        session.ended === row.ended &&
        (session.ended || (session.user === row.user && session.recorded === row.recorded))
      );
    }) &&
    snapshot.exchanges.every((row, number) => {
      const exchange = state.exchanges[number];
      if (!exchange || !row) return exchange === row;
      const { user, token, failures, used } = exchange;
      return user === row.user && token === row.token && failures === row.failures && used === row.used;
    })
  );
}

/** Returns a text that is equal for equal states only. */
export function keyOf(state: State): string {
  let key = '';
  for (const link of state.links) key += link ? `${link.patient}.${link.sign ?? '?'},` : ',';
  key += '/';
  for (const session of state.sessions) key += session ? `${session.user}${session.recorded}${session.ended},` : ',';
  key += '/';
  for (const exchange of state.exchanges) {
    if (!exchange) {
      key += ',';
      continue;
    }
    const { user, token, savedFrom, savedUntil, failures, used, order } = exchange;
    key += `${user}.${token}.${savedFrom}.${savedUntil}.${failures}${used}.${order},`;
  }
  return `${key}/${state.signs.join()}`;
}
