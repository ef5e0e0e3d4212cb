/**
 * Lists defects in what an authorization server writes to its output. A key is the check that must find the
 * defects below it.
 */
import { foundBy } from '../defect.ts';
import { messagesIn, wraps } from '../operators.ts';

export const outputDefects = foundBy({
  'no-secrets-in-output': [
    'messages-logged: It logs the text of each message, with the code',
    wraps(messagesIn, 'add', (add, { print }, ...message) => {
      print(`sent: ${message[1]}`);
      return add(...message);
    }),
    'password-logged-at-start: It logs its settings when it starts, with the internal password',
    { parts: ({ print, password }) => print(`settings: port=8080 password=${password}`) },
  ],
});
