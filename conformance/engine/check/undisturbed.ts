/**
 * Finds the circumstances of each call to the EHR server in a watched session, where a person drives the
 * client and no scenario says what was intended. People and networks disturb such a session. By the
 * circumstances a check judges only the calls that its requirement covers.
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

/** Remembers the circumstances of each call, by its `seq`, so that a journal is searched only once. */
const found = new WeakMap<JournalView, ReadonlyMap<number, Circumstances>>();

/** Returns the circumstances of a call to the EHR server; undefined when the kit played scenarios. */
export function circumstancesOf(journal: JournalView, { seq }: ExchangeEntry): Circumstances | undefined {
  const known = found.get(journal) ?? (isPlayed(journal) ? NONE : allCircumstances(journal));
  found.set(journal, known);
  return known.get(seq);
}

const NONE: ReadonlyMap<number, Circumstances> = new Map();

function isPlayed({ entries }: JournalView): boolean {
  return entries.some(({ kind }) => kind === 'scenario' || kind === 'step');
}

type StepLink = NonNullable<ExchangeEntry['facts']['link']>;

function allCircumstances(journal: JournalView): ReadonlyMap<number, Circumstances> {
  const all = (['client->auth', 'client->ehr', 'auth->ehr'] as const)
    .flatMap((link) => journal.exchanges(link))
    .sort((a, b) => a.seq - b.seq);
  const ends = endsOfLinks(all);
  const circumstances = new Map<number, Circumstances>();
  const links = new Map<string, StepLink>();
  const shown = new Set<string>();
  const sent = new Map<string, ExchangeEntry>();
  const seen = new Set<string | undefined>();
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
    const isOver =
      ends.get(user)?.some(({ seq, at }) => seq > exchange.seq && at < exchange.endedAt) ?? false;
    const sign = isOver ? undefined : links.get(user)?.sign;
    const isOfClient = waiting.some(({ endedAt, facts }) => {
      return endedAt >= exchange.endedAt && facts.call?.userSign !== sign;
    });
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

function endsOfLinks(all: readonly ExchangeEntry[]): ReadonlyMap<string, readonly ExchangeEntry[]> {
  return groupBy(all, ({ facts: { link } }) => (link?.sign === undefined ? link?.user : undefined));
}

/**
 * Whether the EHR server or the network is the reason why a call failed: an injected fault, no reply, a
 * request limit, an internal error. Such a call says nothing about the authorization server.
 */
function isLeftToCallee({ fault, response, facts: { reply } }: ExchangeEntry): boolean {
  if (fault !== undefined || !response || response.status >= FAILED || response.status === TOO_MANY_REQUESTS)
    return true;
  return reply?.code === errorTable.internal_error.code;
}

const FAILED = 500;
const TOO_MANY_REQUESTS = 429;
