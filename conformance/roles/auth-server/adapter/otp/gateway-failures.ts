/** Lets the SMS sink fail as a gateway does, for messages to single phones. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import type { SinkAnswer } from './sink-shapes.ts';

/** How the gateway fails: it refuses with HTTP 500, answers an error with HTTP 200, or does not answer. */
export type GatewayFailure = 'refuses' | 'error in a 200' | 'silence';

/** A failure of the gateway for one phone. */
export type FailingGateway = {
  /** The codes of the messages that it did not send; undefined for one without a code. */
  readonly codes: readonly (string | undefined)[];
  /** Whether it has answered a message. */
  readonly hasAnswered: boolean;
  /** The host and port of the gateway. */
  readonly address: string;
  /** Lets it work again. Messages that it left unanswered lose their connection. */
  end(): void;
};

/** What the gateway says of its failure. No answer to a client may repeat it. */
export const GATEWAY_WORDS = 'The operator of this gateway is out of credit';

/** How long (ms) the gateway takes to refuse: a server that waits for it answers later than others. */
export const REFUSAL_DELAY_MS = 300;

/** The failures that are armed. */
export class GatewayFailures {
  readonly #clock: Clock;
  readonly #armed = new Map<string, (code: string | undefined, send: Sending) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets the gateway at `address` fail for messages to this phone, until `end` is called. */
  arm(phone: string, how: GatewayFailure, address: string): FailingGateway {
    const codes: (string | undefined)[] = [];
    const waiting = new Set<ServerResponse>();
    const state = { codes, hasAnswered: false, address };
    this.#armed.set(phone, (code, { response, answer }) => {
      codes.push(code);
      const body = { error: { reason: 'not_sent', message: GATEWAY_WORDS } };
      if (how === 'silence') waiting.add(response);
      else
        this.#clock.after(how === 'refuses' ? REFUSAL_DELAY_MS : 0, () => {
          state.hasAnswered = true;
          answer({ status: how === 'refuses' ? 500 : 200, body });
        });
    });
    const end = () => {
      this.#armed.delete(phone);
      for (const response of waiting) response.destroy();
    };
    return Object.assign(state, { end });
  }

  /** Whether the gateway fails for this phone: then the message is not sent, and the failure answers it. */
  takes(phone: string, code: string | undefined, sending: Sending): boolean {
    const fails = this.#armed.get(phone);
    fails?.(code, sending);
    return fails !== undefined;
  }
}

/** The response to a message, and the function that answers it. */
type Sending = { response: ServerResponse; answer: (answer: SinkAnswer) => void };
