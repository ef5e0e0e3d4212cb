/** Lets the SMS sink fail as a gateway does, for messages to single phones. */
import type { ServerResponse } from 'node:http';
import type { SinkAnswer } from './sink-shapes.ts';

/** How the gateway fails: it refuses with HTTP 500, answers an error with HTTP 200, or does not answer. */
export type GatewayFailure = 'refuses' | 'error in a 200' | 'silence';

export type FailingGateway = {
  /** The codes of the messages that it did not send; undefined for one without a code. */
  readonly codes: readonly (string | undefined)[];
  /** Lets it work again. Messages that it left unanswered lose their connection. */
  end(): void;
};

/** The failures that are armed. */
export class GatewayFailures {
  readonly #armed = new Map<string, (code: string | undefined, send: Sending) => void>();

  /** Lets the gateway fail for messages to this phone, until `end` is called. */
  arm(phone: string, how: GatewayFailure): FailingGateway {
    const codes: (string | undefined)[] = [];
    const waiting = new Set<ServerResponse>();
    this.#armed.set(phone, (code, { response, answer }) => {
      codes.push(code);
      if (how === 'silence') waiting.add(response);
      else answer({ status: how === 'refuses' ? 500 : 200, body: { error: { reason: 'not_sent' } } });
    });
    const end = () => {
      this.#armed.delete(phone);
      for (const response of waiting) response.destroy();
    };
    return { codes, end };
  }

  /** Whether the gateway fails for this phone: then the message is not sent, and the failure answers it. */
  takes(phone: string, code: string | undefined, sending: Sending): boolean {
    const fails = this.#armed.get(phone);
    fails?.(code, sending);
    return fails !== undefined;
  }
}

type Sending = { response: ServerResponse; answer: (answer: SinkAnswer) => void };
