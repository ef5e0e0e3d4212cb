/** The phone of the page: text messages as they come, with the trouble that was asked for. */
import type { Clock } from '#protocol/time/clock.ts';
import type { TextMessage, TextTrouble } from '../api.ts';
import type { EventHub } from './events.ts';
import { personAt } from './wires/identities.ts';

/** A message as the outbox of the authorization server tells it. */
type Sent = { to: string; text: string; code: string; at: string };

type PhoneParts = {
  fetch: typeof fetch;
  /** Base URL of the authorization server itself: its outbox is a long poll, which needs no wire. */
  authUrl: string;
  /** The demo's clock. */
  clock: Clock;
  /** A clock that nobody moves. */
  realClock: Clock;
  /** Called with each message as it is sent, before any trouble. */
  onSent: (sent: Sent) => void;
  hub: EventHub;
};

const WAIT_SECONDS = 25;
const RETRY_INTERVAL_MS = 500;
const DEFAULT_DELAY_MS = 30_000;
/** The most messages that are kept, the newest ones. */
const MAX_TEXTS = 200;
const NO_TROUBLE: TextTrouble = { kind: 'none', times: 'untilOff' };

export class Phone {
  readonly #parts: PhoneParts;
  readonly #stopping = new AbortController();
  #texts: TextMessage[] = [];
  #trouble = NO_TROUBLE;
  #held: Sent | undefined;
  #lastId = 0;

  constructor(parts: PhoneParts) {
    this.#parts = parts;
  }

  get trouble(): TextTrouble {
    return this.#trouble;
  }

  /** Newest first. */
  texts(): TextMessage[] {
    return [...this.#texts];
  }

  setTrouble(trouble: TextTrouble): TextTrouble {
    this.#trouble = trouble;
    this.#parts.hub.publish('textTrouble', trouble);
    return trouble;
  }

  clear(): void {
    this.#texts = [];
    this.#held = undefined;
    this.setTrouble(NO_TROUBLE);
  }

  /** Listens until it is stopped. Messages from before are shown without trouble. */
  async listen(): Promise<void> {
    let cursor: string | undefined;
    while (!this.#stopping.signal.aborted) {
      const isFirst = cursor === undefined;
      const heard = await this.#next(cursor);
      if (!heard) {
        await new Promise<void>((resolve) => this.#parts.realClock.after(RETRY_INTERVAL_MS, resolve));
        continue;
      }
      cursor = heard.cursor;
      for (const sent of heard.sent.reverse()) {
        this.#parts.onSent(sent);
        if (isFirst) this.#show(sent);
        else this.#arrive(sent);
      }
    }
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Waits for messages after the cursor. Undefined: the server does not answer now. */
  async #next(cursor: string | undefined): Promise<{ cursor: string; sent: Sent[] } | undefined> {
    const query = cursor === undefined ? '' : `?after=${cursor}&wait=${WAIT_SECONDS}`;
    try {
      const { signal } = this.#stopping;
      const response = await this.#parts.fetch(`${this.#parts.authUrl}/outbox${query}`, { signal });
      if (!response.ok) return undefined;
      const sent = (await response.json()) as Sent[];
      return { cursor: response.headers.get('Outbox-Cursor') ?? '0', sent };
    } catch {
      // It is stopping or starting: the caller asks again, unless this is the stop.
      return undefined;
    }
  }

  #arrive(sent: Sent): void {
    const { kind, delayMs = DEFAULT_DELAY_MS } = this.#trouble;
    if (kind !== 'none') this.#countTrouble();
    if (this.#held) {
      this.#show(sent);
      this.#show(this.#held);
      this.#held = undefined;
    } else if (kind === 'outOfOrder') this.#held = sent;
    else if (kind === 'late') this.#parts.clock.after(delayMs, () => this.#show(sent));
    else if (kind !== 'lost') {
      this.#show(sent);
      if (kind === 'doubled') this.#show(sent);
    }
  }

  #countTrouble(): void {
    const { times } = this.#trouble;
    if (times === 'untilOff') return;
    this.setTrouble(times <= 1 ? NO_TROUBLE : { ...this.#trouble, times: times - 1 });
  }

  #show({ to, text, code, at }: Sent): void {
    if (this.#stopping.signal.aborted) return;
    const person = personAt(to);
    const about = person === undefined ? {} : { person };
    const shown = { id: ++this.#lastId, to, text, code, at: Date.parse(at), ...about };
    this.#texts = [shown, ...this.#texts].slice(0, MAX_TEXTS);
    this.#parts.hub.publish('text', shown);
  }
}
