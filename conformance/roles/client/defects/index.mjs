/** All clients of the self-test. */
import { endings, keeping } from './endings.mjs';
import { forms, leaks, messages } from './messages.mjs';
import { order, replies } from './order.mjs';
import { screens } from './screens.mjs';

export { harmlessClients } from './harmless.mjs';

export const REFERENCE = { id: 'reference', title: 'The client in plain JavaScript' };

export const clientDefects = [
  ...leaks,
  ...messages,
  ...forms,
  ...order,
  ...replies,
  ...endings,
  ...keeping,
  ...screens,
];
