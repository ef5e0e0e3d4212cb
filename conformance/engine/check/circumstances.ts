/**
 * Finds the circumstances of each call to the EHR server in a watched session, where a person drives the
 * client and no scenario says what was intended. By them a check judges only the calls that its requirement
 * covers.
 */
import { errorTable } from '#protocol/wire/errors.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import type { JournalView } from '../journal/view.ts';

export type Circumstances = {
  /**
   * The EHR server had no cause to refuse the call: the call reached it, and does not repeat an earlier call
   * whose reply may have been lost. If the call saves a session, the user's link exists at the EHR server, as
   * its last replies to clients showed.
   */
  oughtToBeAccepted: boolean;
  /** The EHR server showed a client the user's signature, so a digest over another text is wrong. */
  isSignShown: boolean;
  /** The digest may be over a signature that a client sent and that is not the link's current one. */
  isSignOfClient: boolean;
};

/** The circumstances of the calls of a journal, each by its `seq`: a journal is searched only once. */
const remembered = new WeakMap<JournalView, ReadonlyMap<number, Circumstances>>();

/** Returns the circumstances of a call to the EHR server; undefined when the kit played scenarios. */
export function circumstancesOf(journal: JournalView, { seq }: ExchangeEntry): Circumstances | undefined {
  const known = remembered.get(journal) ?? allCircumstances(journal);
  remembered.set(journal, known);
  return known.get(seq);
}

type UserLink = NonNullable<ExchangeEntry['facts']['link']>;

/** None where the kit played scenarios. */
function allCircumstances(journal: JournalView): ReadonlyMap<number, Circumstances> {
  if (journal.entries.some(({ kind }) => kind === 'scenario' || kind === 'step')) return new Map();
  const all = (['client->auth', 'client->ehr', 'auth->ehr'] as const)
    .flatMap((link) => journal.exchanges(link))
    .sort((a, b) => a.seq - b.seq);
  const ends = endsOfLinks(all);
  const circumstances = new Map<number, Circumstances>();
  /** The newest link of each user, and the users whose signature was shown. */
  const links = new Map<string, UserLink>();
  const shown = new Set<string>();
  /** The newest call of each content, and all tokens so far. */
  const sent = new Map<string, ExchangeEntry>();
  const seen = new Set<string | undefined>();
  /** `seq` of the newest request of a client to the authorization server. */
  let lastAsked = 0;
  /** Requests of clients that carry a signature, and may still wait for their answer. */
  let waiting: ExchangeEntry[] = [];
  for (const exchange of all) {
    const { call, link, digest } = exchange.facts;
    if (exchange.link === 'client->auth') lastAsked = exchange.seq;
    if (exchange.link === 'client->auth' && call?.userSign !== undefined) waiting.push(exchange);
    if (link) links.set(link.user, link);
    if (link?.sign !== undefined) shown.add(link.user);
    if (exchange.link !== 'auth->ehr' || !call) continue;
    waiting = waiting.filter(({ endedAt }) => endedAt >= exchange.at);
    const user = call.user ?? '';
    const isOver = ends.get(user)?.some(({ seq, at }) => seq > exchange.seq && at < exchange.endedAt);
    const sign = isOver ? undefined : links.get(user)?.sign;
    const isOfClient = waiting.some(
      ({ endedAt, facts }) => endedAt >= exchange.endedAt && facts.call?.userSign !== sign,
    );
    // A repetition is excused: the reply to the authorization server, or its own to the client, may have
    // been lost.
    const earlier = sent.get(keyOf(call));
    const isRepeat = earlier
      ? isLeftToCallee(earlier) || lastAsked > earlier.seq
      : isOlder(exchange, call.exchangeToken ?? call.token, seen);
    const isOfLink =
      call.exchangeToken !== undefined || (sign !== undefined && digest?.over?.sign === sign && !isOfClient);
    circumstances.set(exchange.seq, {
      oughtToBeAccepted: isOfLink && !isRepeat && !isLeftToCallee(exchange),
      isSignShown: shown.has(user),
      isSignOfClient: isOfClient,
    });
    sent.set(keyOf(call), exchange);
    seen.add(call.token).add(call.exchangeToken);
  }
  return circumstances;
}

const keyOf = ({ method, exchangeToken, user, token }: NonNullable<ExchangeEntry['facts']['call']>): string =>
  JSON.stringify([method, exchangeToken, user, token]);

/** Whether a token was sent before the journal begins, such as when a server was restored from a backup. */
function isOlder(
  { facts: { fresh = {} } }: ExchangeEntry,
  token = '',
  seen: ReadonlySet<string | undefined>,
): boolean {
  return !seen.has(token) && !(token in fresh);
}

/** The replies that ended a link, by its user. */
function endsOfLinks(all: readonly ExchangeEntry[]): ReadonlyMap<string, readonly ExchangeEntry[]> {
  return groupBy(all, ({ facts: { link } }) => (link?.sign === undefined ? link?.user : undefined));
}

/** Whether the EHR server or the network made a call fail: it says nothing about the authorization server. */
function isLeftToCallee({ fault, response, facts: { reply } }: ExchangeEntry): boolean {
  if (fault !== undefined || !response || response.status >= FAILED || response.status === TOO_MANY_REQUESTS)
    return true;
  return reply?.code === errorTable.internal_error.code;
}

const FAILED = 500;
const TOO_MANY_REQUESTS = 429;
