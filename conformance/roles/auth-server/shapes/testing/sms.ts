/** A gateway that keeps its messages. */
import { EventEmitter, once } from 'node:events';
import { startHttp } from './http.ts';

export type Message = { to: string; text: string };

const PATH = '/sms';

export async function startSms() {
  const messages: Message[] = [];
  const read = new Set<Message>();
  const events = new EventEmitter();
  const { url } = await startHttp(({ text, path }) => {
    // The port may have been that of another server, whose callers do not know yet that it has ended.
    if (path !== PATH) return { status: 404, headers: {}, body: '' };
    messages.push(JSON.parse(text) as Message);
    events.emit('message');
    return { status: 204, headers: {}, body: '' };
  });
  return {
    url: `${url}${PATH}`,
    messages,
    /** The number of messages to a phone. */
    count: (phone: string) => messages.filter(({ to }) => to === phone).length,
    /** The code of the next unread message to a phone; waits for it. */
    async code(phone: string): Promise<string> {
      for (;;) {
        const found = messages.find((message) => message.to === phone && !read.has(message));
        const code = found && /\d{6}/.exec(found.text)?.[0];
        if (code !== undefined) {
          read.add(found as Message);
          return code;
        }
        await once(events, 'message');
      }
    },
  };
}
