/** The messages that the mock authorization server sent, for a test that acts as the user. */
import { type Message, messagesTo, type Outbox as ServerOutbox } from '#mock-auth-server/outbox/outbox.ts';

export type { Message };

export type Outbox = {
  /** Returns the messages, newest first: to one phone or e-mail address, in any notation, or to all. */
  messages(to?: string): Message[];
  /** Returns the newest code sent to a phone or e-mail address. @throws {Error} when none was sent */
  code(to: string): string;
};

/** Creates the reader of the server's outbox. `current` returns the outbox since the last reset. */
export function outboxReader(current: () => ServerOutbox): Outbox {
  return {
    messages: (to) => messagesTo(current(), to),
    code(to) {
      const [newest] = messagesTo(current(), to);
      if (newest) return newest.code;
      const others = [...new Set(messagesTo(current()).map((message) => message.to))].join(', ') || 'nobody';
      throw new Error(
        `Failed to read the code sent to ${to}: none was sent. Messages were sent to: ${others}. Please call auth.request_otp first.`,
      );
    },
  };
}
