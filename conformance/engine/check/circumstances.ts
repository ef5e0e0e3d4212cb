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

/** None where the kit played scenarios. */
function allCircumstances(journal: JournalView): ReadonlyMap<number, Circumstances> {
  if (journal.entries.some(({ kind }) => kind === 'scenario' || kind === 'step')) return new Map();
  const all = (['client->auth', 'client->ehr', 'auth->ehr'] as const)
    .flatMap((link) => journal.exchanges(link))
    .sort((a, b) => a.seq - b.seq);
  const session = new WatchedSession(endsOfLinks(all));
  const circumstances = new Map<number, Circumstances>();
  for (const exchange of all) {
    session.note(exchange);
    if (exchange.link !== 'auth->ehr' || !exchange.facts.call) continue;
    circumstances.set(exchange.seq, session.circumstancesOf(exchange, exchange.facts.call));
    session.noteCall(exchange, exchange.facts.call);
  }
  return circumstances;
}

type Call = NonNullable<ExchangeEntry['facts']['call']>;

/** What the messages of a watched session have shown up to one of them. */
class WatchedSession {
  /** Key: a user. Value: the replies that ended a link of the user, later ones too. */
  readonly #ends: ReadonlyMap<string, readonly ExchangeEntry[]>;
  /** Key: a user. Value: the signature that the newest reply shows; undefined: there is no link. */
  readonly #signs = new Map<string, string | undefined>();
  readonly #usersOfShownSigns = new Set<string>();
  /** The newest call of each content. */
  readonly #calls = new Map<string, ExchangeEntry>();
  readonly #tokens = new Set<string | undefined>();
  /** `seq` of the newest request of a client to the authorization server. */
  #lastAsked = 0;
  /** Requests of clients that carry a signature, and may still wait for their answer. */
  #waiting: ExchangeEntry[] = [];

  constructor(ends: ReadonlyMap<string, readonly ExchangeEntry[]>) {
    this.#ends = ends;
  }

  note(exchange: ExchangeEntry): void {
    const { call, link } = exchange.facts;
    if (exchange.link === 'client->auth') this.#lastAsked = exchange.seq;
    if (exchange.link === 'client->auth' && call?.userSign !== undefined) this.#waiting.push(exchange);
    if (link) this.#signs.set(link.user, link.sign);
    if (link?.sign !== undefined) this.#usersOfShownSigns.add(link.user);
  }

  noteCall(exchange: ExchangeEntry, call: Call): void {
    this.#calls.set(keyOf(call), exchange);
    this.#tokens.add(call.token).add(call.exchangeToken);
  }

  circumstancesOf(exchange: ExchangeEntry, call: Call): Circumstances {
    const { user = '' } = call;
    const sign = this.#signOf(user, exchange);
    this.#waiting = this.#waiting.filter(({ endedAt }) => endedAt >= exchange.at);
    const isSignOfClient = this.#waiting.some(
      ({ endedAt, facts }) => endedAt >= exchange.endedAt && facts.call?.userSign !== sign,
    );
    const isOverSign = sign !== undefined && exchange.facts.digest?.over?.sign === sign && !isSignOfClient;
    const isOfLink = call.exchangeToken !== undefined || isOverSign;
    return {
      oughtToBeAccepted: isOfLink && !this.#isRepeat(exchange, call) && !isLeftToCallee(exchange),
      isSignShown: this.#usersOfShownSigns.has(user),
      isSignOfClient,
    };
  }

  /** The signature of the user's link; undefined where it ended before the call did. */
  #signOf(user: string, { seq, endedAt }: ExchangeEntry): string | undefined {
    const isOver = this.#ends.get(user)?.some((end) => end.seq > seq && end.at < endedAt);
    return isOver ? undefined : this.#signs.get(user);
  }

  /** Whether the reply to an earlier call, or that of the server to its client, may have been lost. */
  #isRepeat({ facts: { fresh = {} } }: ExchangeEntry, call: Call): boolean {
    const earlier = this.#calls.get(keyOf(call));
    if (earlier) return isLeftToCallee(earlier) || this.#lastAsked > earlier.seq;
    // A token may be older than the journal, such as when a server was restored from a backup.
    const token = call.exchangeToken ?? call.token ?? '';
    return !this.#tokens.has(token) && !(token in fresh);
  }
}

const keyOf = ({ method, exchangeToken, user, token }: Call): string =>
  JSON.stringify([method, exchangeToken, user, token]);

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
