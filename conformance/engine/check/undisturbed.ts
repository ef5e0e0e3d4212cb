/**
 * What a session without scenarios shows of the calls to the EHR server. Whatever trouble people make in it,
 * a check is held only against calls that its words are about.
 */
import { errorTable } from '#protocol/wire/errors.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { groupBy } from '../journal/group-by.ts';
import type { JournalView } from '../journal/view.ts';

export type Circumstances = {
  /**
   * The EHR server had no cause to refuse it: it was reached, and the call repeats none whose reply may have
   * been lost. A save is of a link that stands there, as the last replies to clients showed it.
   */
  oughtToBeAccepted: boolean;
  /** A signature of the user crossed, so a digest over an unknown one is wrong. */
  isSignShown: boolean;
  /** It may be over a signature that a client handed on, which is not that of the link as it stands. */
  isSignOfClient: boolean;
};

/** The circumstances of each call by `seq`, found once for a journal. */
const found = new WeakMap<JournalView, ReadonlyMap<number, Circumstances>>();

/** Returns the circumstances of a call to the EHR server; undefined where steps say what was meant. */
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
  /** Calls of clients that hand on a signature, and may still wait for their answer. */
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
    // A reply to the server, or one to its client, may have been lost before.
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

/** Equal for a call that sends the same tokens again. */
const keyOf = ({ method, exchangeToken, user, token }: NonNullable<ExchangeEntry['facts']['call']>): string =>
  JSON.stringify([method, exchangeToken, user, token]);

/** Whether a token was sent before the journal begins, as after a snapshot that was put back. */
function isOlder(
  { facts: { fresh = {} } }: ExchangeEntry,
  token = '',
  seen: ReadonlySet<string | undefined>,
): boolean {
  return !seen.has(token) && !(token in fresh);
}

/** The calls after which the link of a user may be over, by user. */
function endsOfLinks(all: readonly ExchangeEntry[]): ReadonlyMap<string, readonly ExchangeEntry[]> {
  return groupBy(all, ({ facts: { link } }) => (link?.sign === undefined ? link?.user : undefined));
}

/** Trouble on the wire, no reply, a limit of requests and a failure say nothing of the caller. */
function isLeftToCallee({ fault, response, facts: { reply } }: ExchangeEntry): boolean {
  if (fault !== undefined || !response || response.status >= FAILED || response.status === TOO_MANY_REQUESTS)
    return true;
  return reply?.code === errorTable.internal_error.code;
}

const FAILED = 500;
const TOO_MANY_REQUESTS = 429;
